import { randomUUID } from "node:crypto";
import type { RegistryDb } from "../store/tables/all.ts";
import type { Matcher } from "../values/patterns.ts";
import { noteChangedTags } from "./attached-changes.ts";
import { isImmutable, policiesOf, protectedBy, refuseIfImmutable } from "./immutability.ts";
import { lockRepository } from "./queries/lock-repository.ts";
import {
  endTagRow,
  findOrphanedReferrerTags,
  insertTag,
  latestFirst,
  listAlive,
  reviveManifest,
  type TagAt,
  type TagRow,
} from "./queries/tags.ts";

/** Where a tag is to point. */
export interface TagTarget extends TagAt {
  readonly manifestId: string;
  /** When it ends by itself; absent: never. */
  readonly endAt?: number | undefined;
  /** Whether the tag is put back to an earlier manifest. */
  readonly reversion?: boolean;
}

/** What putting a tag did. */
export interface PutTag {
  readonly tag: TagRow;
  /** The lifetime that ended for it. */
  readonly previous?: TagRow;
}

/** The lifetime of a tag that is alive. */
export async function findAliveTag(db: RegistryDb, { repositoryId, name, now }: TagAt): Promise<TagRow | undefined> {
  const [latest] = await listAlive(db, { repositoryId, name, now });
  return latest;
}

/**
 * Points a tag at a manifest: its lifetime ends and another begins, even where the manifest is the same. The manifest that it
 * pointed at may have lost its last tag by that, as in {@link endTag}. Must run in a transaction. A caller that looks the manifest
 * up locks the repository before, so that the manifest is not collected meanwhile.
 * @throws RegistryError `not_found` for a repository that is gone; `tag_immutable`, also for an end of what a policy protects
 */
export async function putTag(db: RegistryDb, target: TagTarget): Promise<PutTag> {
  const locked = await lockRepository(db, target.repositoryId);
  const alive = await listAlive(db, target);
  refuseIfImmutable(alive, "overwrite");
  const previous = await endLifetimes(db, alive, target.now);
  const tag = newLifetime(target, previous, protectedBy(policiesOf(locked)));
  if (target.endAt !== undefined) refuseIfImmutable([tag], "expire");
  await insertTag(db, tag);
  if (previous !== undefined) await expireReferrerTagsOf(db, previous, target.now);
  await reviveManifest(db, target.manifestId);
  await noteChangedTags(db, [tag], target.now);
  return { tag, ...(previous && { previous }) };
}

/** The lifetime of a tag that begins after one that has ended. @param isProtected whether a policy protects tags of a name */
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
 * Ends a tag. With the last tag of an image, the tags of its signature, attestation and bill of materials (`sha256-<hex>.sig`) end
 * too. Must run in a transaction.
 * @returns the lifetime that ended; undefined where the tag was not alive
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
export async function endLifetime(db: RegistryDb, at: TagAt): Promise<TagRow | undefined> {
  return endLifetimes(db, await listAlive(db, at), at.now);
}

/**
 * Ends lifetimes that are alive. No two lifetimes of a name end at the same instant: where they would, one ends a millisecond
 * earlier, and never later than now. Must run in a transaction that has locked the repository.
 * @returns the latest
 */
export async function endLifetimes(db: RegistryDb, alive: readonly TagRow[], now: number): Promise<TagRow | undefined> {
  for (const tag of alive) {
    await endTagRow(db, tag, now);
  }
  await noteChangedTags(db, alive, now);
  return latestFirst(alive)[0];
}

/**
 * Ends the tags of the signature and the like of an image, if the tag that has ended was the image's last one. Must run in a
 * transaction that has locked the repository.
 */
export async function expireReferrerTagsOf(db: RegistryDb, ended: TagRow, now: number): Promise<void> {
  const orphaned = await findOrphanedReferrerTags(db, ended, now);
  await endLifetimes(db, orphaned, now);
}
