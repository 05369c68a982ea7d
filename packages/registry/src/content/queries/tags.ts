import { type Selectable, sql } from "kysely";
import { readLength } from "../../store/bounded-reads.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";
import type { TagTable } from "../../store/tables/content.ts";
import { isTagName } from "../../values/names.ts";
import { referrerKinds } from "../referrer-tags.ts";

/** A referrer tag that has outlived its image. */
interface OutlivingTag {
  readonly name: string;
  /** Epoch milliseconds: when the image lost its last tag. */
  readonly ended_at: number;
}

/** The tags that {@link expireReferrerTags} ends next. Tags are too short for digests other than sha256. */
export async function findOutlivingTags(
  db: RegistryDb,
  { repositoryId, now }: { readonly repositoryId: string; readonly now: number },
): Promise<readonly OutlivingTag[]> {
  const names = referrerKinds.map((kind) => sql`'sha256-' || substr(sibling.name, 8, 64) || '.' || ${kind}`);
  const { rows } = await sql<OutlivingTag>`
    select sibling.name, max(lifetime.end_at) as ended_at
    from tag as sibling
    join image_manifest as image on image.repository_id = sibling.repository_id
      and image.digest = 'sha256:' || substr(sibling.name, 8, 64)
    join tag as lifetime on lifetime.manifest_id = image.id
    where sibling.repository_id = ${repositoryId}
      and sibling.name >= 'sha256-' and sibling.name < 'sha256.' and sibling.name in (${sql.join(names)})
      and (sibling.end_at is null or sibling.end_at > ${now}) and sibling.immutable_by is null
    group by sibling.id, sibling.name, sibling.start_at
    having count(*) = count(case when lifetime.end_at <= ${now} then 1 end) and max(lifetime.end_at) >= sibling.start_at
    order by sibling.name`.execute(db);
  return rows;
}

/** One lifetime of a tag, as it is stored. */
export type TagRow = Selectable<TagTable>;

/** The name of a tag, and an instant. */
export interface TagAt {
  readonly repositoryId: string;
  readonly name: string;
  readonly now: number;
}

/** The alive tags of a manifest, ordered by name. */
export async function listAliveTagsOf(
  db: RegistryDb,
  manifest: { readonly repositoryId: string; readonly manifestId: string; readonly now: number },
): Promise<readonly TagRow[]> {
  const { repositoryId, manifestId, now } = manifest;
  const tags = await aliveTags(db, repositoryId, now).where("manifest_id", "=", manifestId).execute();
  return tags.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Sets or removes the expiration of an alive tag. @returns false if it is no longer alive, or immutable */
export async function setTagEnd(
  db: RegistryDb,
  { id, now, endAt }: { readonly id: string; readonly now: number; readonly endAt: number | undefined },
): Promise<boolean> {
  const changed = await db
    .updateTable("tag")
    .set({ end_at: endAt ?? null })
    .where("id", "=", id)
    .where("immutable_by", "is", null)
    .where(({ or, eb }) => or([eb("end_at", "is", null), eb("end_at", ">", now)]))
    .returning("id")
    .executeTakeFirst();
  return changed !== undefined;
}

/**
 * The alive lifetimes of a name, the latest first: nearly always one. They are sorted here, because SQLite would read all tags in order
 * instead.
 */
export async function listAlive(db: RegistryDb, { repositoryId, name, now }: TagAt): Promise<readonly TagRow[]> {
  if (!isTagName(name)) return [];
  return latestFirst(await aliveTags(db, repositoryId, now).where("name", "=", name).execute());
}

/** Sorts lifetimes, the latest first. */
export function latestFirst(tags: readonly TagRow[]): readonly TagRow[] {
  return tags.toSorted((one, other) => other.start_at - one.start_at);
}

/** A query of the lifetimes that have not ended. */
export function aliveTags(db: RegistryDb, repositoryId: string, now: number) {
  return db
    .selectFrom("tag")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .where(({ or, eb }) => or([eb("end_at", "is", null), eb("end_at", ">", now)]));
}

/** Restores a deleted manifest, and the manifests that it lists, directly or through other indexes. */
export async function reviveManifest(db: RegistryDb, id: string): Promise<void> {
  await sql`
    update image_manifest set deleted_at = null where deleted_at is not null and id in (
      with recursive below(id) as (
        select id from image_manifest where id = ${id}
        union select manifest_child.child_id from manifest_child join below on below.id = manifest_child.manifest_id)
      select id from below)`.execute(db);
}

/** Stores the lifetime of a tag. */
export async function insertTag(db: RegistryDb, tag: NewRow<"tag">): Promise<void> {
  await db.insertInto("tag").values(tag).execute();
}

/** Ends the lifetime of a tag now; if another one of that name ends then, in the latest free millisecond before. */
export async function endTagRow(
  db: RegistryDb,
  tag: Pick<TagRow, "id" | "repository_id" | "name">,
  now: number,
): Promise<void> {
  const { id, repository_id, name } = tag;
  const endsOf = sql`other.repository_id = ${repository_id} and other.name = ${name} and other.end_at`;
  const end_at = sql<number>`case
      when not exists (select 1 from tag as other where ${endsOf} = ${now}) then ${now}
      else (select max(ended.end_at) - 1 from tag as ended
        where ended.repository_id = ${repository_id} and ended.name = ${name} and ended.end_at <= ${now}
          and not exists (select 1 from tag as other where ${endsOf} = ended.end_at - 1)) end`;
  await db.updateTable("tag").set({ end_at }).where("id", "=", id).execute();
}

/**
 * Ends the given lifetimes that are alive and not immutable, most of them in one statement. Must run in a transaction that has locked
 * the repository.
 * @returns their names
 */
export async function endAliveTags(
  db: RegistryDb,
  { repositoryId, ids, now }: { readonly repositoryId: string; readonly ids: readonly string[]; readonly now: number },
): Promise<readonly string[]> {
  const alive = await aliveTags(db, repositoryId, now)
    .where("id", "in", ids)
    .where("immutable_by", "is", null)
    .execute();
  const endingNow = await db
    .selectFrom("tag")
    .select("name")
    .where("repository_id", "=", repositoryId)
    .where("end_at", "=", now)
    .execute();
  const names = new Set(endingNow.map(({ name }) => name));
  const together: string[] = [];
  for (const tag of alive) {
    // No two lifetimes of a name end at the same instant.
    if (names.has(tag.name)) await endTagRow(db, tag, now);
    else together.push(tag.id);
    names.add(tag.name);
  }
  if (together.length > 0) await db.updateTable("tag").set({ end_at: now }).where("id", "in", together).execute();
  return alive.map(({ name }) => name);
}

/** The alive, mutable referrer tags (signature, attestation, bill of materials) of an image without an alive tag; empty if it has one. */
export async function findOrphanedReferrerTags(
  db: RegistryDb,
  { repository_id, manifest_id }: TagRow,
  now: number,
): Promise<readonly TagRow[]> {
  const names = referrerKinds.map((kind) => sql`replace(image.digest, ':', '-') || ${`.${kind}`}`);
  const { rows } = await sql<TagRow>`
    select sibling.* from image_manifest as image
    join tag as sibling on sibling.repository_id = image.repository_id and sibling.name in (${sql.join(names)})
    where image.id = ${manifest_id} and image.repository_id = ${repository_id}
      and (sibling.end_at is null or sibling.end_at > ${now}) and sibling.immutable_by is null
      and not exists (select 1 from tag as left_over where left_over.manifest_id = image.id
        and (left_over.end_at is null or left_over.end_at > ${now}))`.execute(db);
  return rows;
}

/** Deletes a lifetime of a tag. Garbage collection then sees whether its manifest is still needed. */
export async function deleteLifetime(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("tag").where("id", "=", id).execute();
}

/** Deletes the lifetimes of a tag that have ended with a manifest. @returns how many there were */
export async function deleteEndedLifetimes(
  db: RegistryDb,
  { repositoryId, name, now }: TagAt,
  manifestId: string,
): Promise<number> {
  const deleted = await db
    .deleteFrom("tag")
    .where("repository_id", "=", repositoryId)
    .where("name", "=", name)
    .where("manifest_id", "=", manifestId)
    .where("end_at", "<=", now)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** The kinds of entries of the usage log that begin or end a lifetime of a tag. */
export const tagChangeKinds = [
  ...(["push_repo", "create_tag", "move_tag", "revert_tag", "delete_tag"] as const),
  ...(["permanently_delete_tag", "autoprune_tag_delete"] as const),
];

/** A change of a tag in the usage log. */
export interface LoggedTagChange {
  readonly kind: string;
  /** JSON. */
  readonly metadata: string;
  readonly at: number;
  /** Null: done with a repository token, or by a job. */
  readonly performer_name: string | null;
}

/** Which entries are read. */
interface TagChangesQuery {
  readonly repositoryId: string;
  readonly instants: readonly number[];
  readonly kinds: readonly (typeof tagChangeKinds)[number][];
}

/** The changes of tags of a repository at the given instants that the usage log still has. */
export async function listTagChangesAt(
  db: RegistryDb,
  { repositoryId, instants, kinds }: TagChangesQuery,
): Promise<readonly LoggedTagChange[]> {
  if (instants.length === 0) return [];
  return db
    .selectFrom("usage_log")
    .select(["kind", "metadata", "at", "performer_name"])
    .where("repository_id", "=", repositoryId)
    .where("at", "in", instants)
    .where("kind", "in", kinds)
    .execute();
}

/** A page of the repositories that are not deleted, ordered by id. */
export function listLivingRepositories(db: RegistryDb, after: string): Promise<readonly { readonly id: string }[]> {
  return db
    .selectFrom("image_repository")
    .select("id")
    .where("state", "!=", "deleted")
    .where("id", ">", after)
    .orderBy("id")
    .limit(readLength)
    .execute();
}
