import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { RegistryDb } from "../store/tables/all.ts";
import type { TagTable } from "../store/tables/content.ts";
import { isTagName } from "../values/names.ts";
import { lockRepository } from "./queries/lock-repository.ts";

/** One lifetime of a tag, as it is stored. */
export type TagRow = Selectable<TagTable>;

/** Which tag, and when. */
export interface TagAt {
  readonly repositoryId: string;
  readonly name: string;
  readonly now: number;
}

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

/** The alive tags of a manifest, by name. */
export async function listAliveTagsOf(
  db: RegistryDb,
  manifest: { readonly repositoryId: string; readonly manifestId: string; readonly now: number },
): Promise<readonly TagRow[]> {
  const { repositoryId, manifestId, now } = manifest;
  const tags = await aliveTags(db, repositoryId, now).where("manifest_id", "=", manifestId).execute();
  return tags.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * Points a tag at a manifest: its lifetime ends and another begins, even where the manifest is the same. What it pointed at may
 * have lost its last tag by that, as in {@link endTag}. Belongs into a transaction; whoever looks the manifest up locks the
 * repository before, so that nobody collects it meanwhile.
 * @throws RegistryError `not_found` for a repository that is gone
 */
export async function putTag(db: RegistryDb, target: TagTarget): Promise<PutTag> {
  await lockRepository(db, target.repositoryId);
  const previous = await endLifetime(db, target);
  const tag = newLifetime(target, previous);
  await db.insertInto("tag").values(tag).execute();
  if (previous !== undefined) await endSiblings(db, previous, target.now);
  await reviveManifest(db, target.manifestId);
  return { tag, ...(previous && { previous }) };
}

/** The lifetime of a tag that begins after one that has ended. */
export function newLifetime(target: TagTarget, previous: TagRow | undefined): TagRow {
  const { repositoryId, name, now, manifestId, endAt = null, reversion = false } = target;
  return {
    id: randomUUID(),
    repository_id: repositoryId,
    name,
    manifest_id: manifestId,
    start_at: previous === undefined ? now : Math.max(now, previous.start_at + 1),
    end_at: endAt,
    reversion: reversion ? 1 : 0,
  };
}

/**
 * Ends a tag. With the last tag of an image its signature, attestation and bill of materials end that stand under tags of
 * their own (`sha256-<hex>.sig`). Belongs into a transaction.
 * @returns the lifetime that ended; undefined where the tag was not alive
 * @throws RegistryError `not_found` for a repository that is gone
 */
export async function endTag(db: RegistryDb, { repositoryId, name, now }: TagAt): Promise<TagRow | undefined> {
  await lockRepository(db, repositoryId);
  const ended = await endLifetime(db, { repositoryId, name, now });
  if (ended !== undefined) await endSiblings(db, ended, now);
  return ended;
}

/** Sets when an alive tag ends by itself, or that it does not. @returns false where it is not alive any more */
export async function setTagEnd(
  db: RegistryDb,
  { id, now, endAt }: { readonly id: string; readonly now: number; readonly endAt: number | undefined },
): Promise<boolean> {
  const changed = await db
    .updateTable("tag")
    .set({ end_at: endAt ?? null })
    .where("id", "=", id)
    .where(({ or, eb }) => or([eb("end_at", "is", null), eb("end_at", ">", now)]))
    .returning("id")
    .executeTakeFirst();
  return changed !== undefined;
}

/** The alive lifetimes of a name, the latest first: nearly always one. SQLite would sort by reading all tags in order. */
async function listAlive(db: RegistryDb, { repositoryId, name, now }: TagAt): Promise<readonly TagRow[]> {
  if (!isTagName(name)) return [];
  return latestFirst(await aliveTags(db, repositoryId, now).where("name", "=", name).execute());
}

function latestFirst(tags: readonly TagRow[]): readonly TagRow[] {
  return tags.toSorted((one, other) => other.start_at - one.start_at);
}

/** Lifetimes that have not ended, as a statement. */
export function aliveTags(db: RegistryDb, repositoryId: string, now: number) {
  return db
    .selectFrom("tag")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .where(({ or, eb }) => or([eb("end_at", "is", null), eb("end_at", ">", now)]));
}

/** Makes a manifest not deleted any more, nor anything that it is an index of. */
export async function reviveManifest(db: RegistryDb, id: string): Promise<void> {
  await sql`
    update image_manifest set deleted_at = null where deleted_at is not null and id in (
      with recursive below(id) as (
        select id from image_manifest where id = ${id}
        union select manifest_child.child_id from manifest_child join below on below.id = manifest_child.manifest_id)
      select id from below)`.execute(db);
}

/** Ends the lifetimes of a name that are alive at an instant. Belongs into a transaction that has locked the repository. */
export async function endLifetime(db: RegistryDb, at: TagAt): Promise<TagRow | undefined> {
  return endLifetimes(db, await listAlive(db, at), at.now);
}

/**
 * Ends lifetimes that are alive. No two of a name end at once: what ends in the same millisecond ends one earlier, and never
 * later than now. Belongs into a transaction that has locked the repository.
 * @returns the latest
 */
export async function endLifetimes(db: RegistryDb, alive: readonly TagRow[], now: number): Promise<TagRow | undefined> {
  for (const { id, repository_id, name } of alive) {
    const endsOf = sql`other.repository_id = ${repository_id} and other.name = ${name} and other.end_at`;
    const end_at = sql<number>`case
      when not exists (select 1 from tag as other where ${endsOf} = ${now}) then ${now}
      else (select max(ended.end_at) - 1 from tag as ended
        where ended.repository_id = ${repository_id} and ended.name = ${name} and ended.end_at <= ${now}
          and not exists (select 1 from tag as other where ${endsOf} = ended.end_at - 1)) end`;
    await db.updateTable("tag").set({ end_at }).where("id", "=", id).execute();
  }
  return latestFirst(alive)[0];
}

/** How the tags end that stand for the signature, the attestation and the bill of materials of an image. */
export const siblingSuffixes = ["sig", "att", "sbom"] as const;

/**
 * Ends what stands under tags of its own for an image whose last tag has ended, if it was the last one. Belongs into a transaction
 * that has locked the repository.
 */
export async function endSiblings(db: RegistryDb, { repository_id, manifest_id }: TagRow, now: number): Promise<void> {
  const names = siblingSuffixes.map((suffix) => sql`replace(image.digest, ':', '-') || ${`.${suffix}`}`);
  const { rows } = await sql<TagRow>`
    select sibling.* from image_manifest as image
    join tag as sibling on sibling.repository_id = image.repository_id and sibling.name in (${sql.join(names)})
    where image.id = ${manifest_id} and image.repository_id = ${repository_id}
      and (sibling.end_at is null or sibling.end_at > ${now})
      and not exists (select 1 from tag as left_over where left_over.manifest_id = image.id
        and (left_over.end_at is null or left_over.end_at > ${now}))`.execute(db);
  await endLifetimes(db, rows, now);
}
