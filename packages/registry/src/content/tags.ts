import { randomUUID } from "node:crypto";
import type { RegistryDb } from "../store/tables/all.ts";
import type { Matcher } from "../values/patterns.ts";
import { noteChangedTags } from "./attached-changes.ts";
import { type Attacher, forgetTagged, recordTagged } from "./attachers.ts";
import { isImmutable, policiesOf, protectedBy, refuseIfImmutable } from "./immutability.ts";
import { lockRepository } from "./queries/blobs.ts";
import {
  endTagRow,
  findOrphanedReferrerTags,
  findOutlivingTags,
  insertTag,
  latestFirst,
  listAlive,
  reviveManifest,
  type TagAt,
  type TagRow,
} from "./queries/tags.ts";

/** A new target of a tag. */
export interface TagTarget extends TagAt {
  readonly manifestId: string;
  /** Epoch milliseconds of its expiration; where absent, it does not expire. */
  readonly endAt?: number | undefined;
  /** Whether the tag is put back to an earlier manifest. */
  readonly reversion?: boolean;
  /** Who points the tag at it, if they may attach documents. */
  readonly attacher?: Attacher | undefined;
}

/** The result of {@link putTag}. */
export interface PutTag {
  readonly tag: TagRow;
  /** The lifetime that it replaced. */
  readonly previous?: TagRow;
}

/** The lifetime of a tag that is alive. */
export async function findAliveTag(db: RegistryDb, { repositoryId, name, now }: TagAt): Promise<TagRow | undefined> {
  const [latest] = await listAlive(db, { repositoryId, name, now });
  return latest;
}

/**
 * Points a tag at a manifest: its lifetime ends and another begins, even if the manifest is the same. If the earlier manifest loses its
 * last tag, its referrer tags end as in {@link endTag}. Must run in a transaction. A caller that looks up the manifest must lock the
 * repository first, so that the manifest is not collected meanwhile.
 * @throws RegistryError `not_found` for a repository that is gone; `tag_immutable`, also for an expiration of a tag that a policy protects
 */
export async function putTag(db: RegistryDb, target: TagTarget): Promise<PutTag> {
  const locked = await lockRepository(db, target.repositoryId);
  const alive = await listAlive(db, target);
  refuseIfImmutable(alive, "overwrite");
  const previous = await endLifetimes(db, alive, target.now);
  const tag = newLifetime(target, previous, protectedBy(policiesOf(locked)));
  if (target.endAt !== undefined) refuseIfImmutable([tag], "expire");
  await insertTag(db, tag);
  await recordTagged(db, [tag], target);
  if (previous !== undefined) await expireReferrerTagsOf(db, previous, target.now);
  await reviveManifest(db, target.manifestId);
  await noteChangedTags(db, [tag], target.now);
  return { tag, previous };
}

/** A new lifetime of a tag, which starts after the previous one. @param isProtected whether a policy protects tags of a name */
export function newLifetime(target: TagTarget, previous: TagRow | undefined, isProtected: Matcher): TagRow {
  const { repositoryId, name, now, manifestId, endAt = null, reversion = false } = target;
  return {
    id: randomUUID(),
    repository_id: repositoryId,
    name,
    manifest_id: manifestId,
    start_at: previous === undefined ? now : Math.max(now, previous.start_at + 1),
    end_at: endAt,
    reversion: reversion ? 1 : 0,
    immutable_by: isProtected(name) ? "policy" : null,
  };
}

/**
 * Ends a tag. If it is the last tag of its image, the tags of the image's signature, attestation and bill of materials
 * (`sha256-<hex>.sig`) end as well. Must run in a transaction.
 * @returns the lifetime that ended; undefined if the tag was not alive
 * @throws RegistryError `not_found` for a repository that is gone; `tag_immutable`
 */
export async function endTag(db: RegistryDb, { repositoryId, name, now }: TagAt): Promise<TagRow | undefined> {
  await lockRepository(db, repositoryId);
  const alive = await listAlive(db, { repositoryId, name, now });
  refuseIfImmutable(alive, "delete");
  const ended = await endLifetimes(db, alive, now);
  if (ended !== undefined) await expireReferrerTagsOf(db, ended, now);
  return ended;
}

/** As {@link endTag}; an immutable tag stays, without an error. */
export async function endMutableTag(db: RegistryDb, at: TagAt): Promise<TagRow | undefined> {
  await lockRepository(db, at.repositoryId);
  const alive = await listAlive(db, at);
  return alive.some(isImmutable) ? undefined : endTag(db, at);
}

/** Ends the lifetimes of a name that are alive at an instant. Must run in a transaction that has locked the repository. */
async function endLifetime(db: RegistryDb, at: TagAt): Promise<TagRow | undefined> {
  return endLifetimes(db, await listAlive(db, at), at.now);
}

/**
 * Ends alive lifetimes. No two lifetimes of a name end at the same instant: the second one ends a millisecond earlier. Must run in a
 * transaction that has locked the repository.
 * @returns the latest of them
 */
export async function endLifetimes(db: RegistryDb, alive: readonly TagRow[], now: number): Promise<TagRow | undefined> {
  for (const tag of alive) {
    await endTagRow(db, tag, now);
    await forgetTagged(db, tag);
  }
  await noteChangedTags(db, alive, now);
  return latestFirst(alive)[0];
}

/**
 * Ends the referrer tags of an image if the tag that has ended was the image's last one. Must run in a
 * transaction that has locked the repository.
 */
export async function expireReferrerTagsOf(db: RegistryDb, ended: TagRow, now: number): Promise<void> {
  const orphaned = await findOrphanedReferrerTags(db, ended, now);
  await endLifetimes(db, orphaned, now);
}

/**
 * Ends the tags of signatures, attestations and bills of materials (`sha256-<hex>.sig`) whose image has lost its last tag. This may
 * have happened without a request: tags expire. They end at the same instant as the image's last tag, so that they can be restored
 * for exactly as long. Tags that were put after that instant stay. Must run in a transaction that has locked the repository.
 * @returns the names of the tags that ended
 */
export async function expireReferrerTags(
  db: RegistryDb,
  { repositoryId, now }: { readonly repositoryId: string; readonly now: number },
): Promise<readonly string[]> {
  const ended: string[] = [];
  for (;;) {
    const outliving = await findOutlivingTags(db, { repositoryId, now });
    if (outliving.length === 0) return ended;
    for (const { name, ended_at } of outliving) {
      await endLifetime(db, { repositoryId, name, now: Number(ended_at) });
      ended.push(name);
    }
  }
}
