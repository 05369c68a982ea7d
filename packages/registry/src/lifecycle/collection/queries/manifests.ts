import { sql } from "kysely";
import { graceMs } from "../../../content/lifetimes.ts";
import type { ReadFrom } from "../../../lists/list-pages.ts";
import { inChunks } from "../../../store/bounded-reads.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";

/** A manifest without references. */
export interface LooseManifest {
  readonly id: string;
  readonly digest: string;
  readonly size_bytes: number;
}

/** The manifests of a repository that a query considers. */
type Candidates =
  | { readonly ids: readonly string[] }
  /** Digests after `after`, up to `last`. */
  | { readonly after: string; readonly last: string };

/**
 * Finds the candidates that nothing refers to. A referrer stays as long as its subject exists, unless the referrer was deleted itself.
 */
export async function findLooseManifests(
  db: RegistryDb,
  repositoryId: string,
  { candidates, now }: { readonly candidates: Candidates; readonly now: number },
): Promise<readonly LooseManifest[]> {
  if (!("ids" in candidates)) {
    const { after, last } = candidates;
    return looseManifests(db, now)
      .where("manifest.repository_id", "=", repositoryId)
      .where("manifest.digest", ">", after)
      .where("manifest.digest", "<=", last)
      .orderBy("manifest.digest")
      .execute();
  }
  const loose: LooseManifest[] = [];
  for (const some of inChunks(candidates.ids)) {
    // Neither filtered by repository nor ordered: with either, SQLite would scan all manifests of the repository.
    const found = await looseManifests(db, now).where("manifest.id", "in", some).execute();
    loose.push(...found.filter(({ repository_id }) => repository_id === repositoryId));
  }
  return loose.sort((a, b) => (a.digest < b.digest ? -1 : 1));
}

function looseManifests(db: RegistryDb, now: number) {
  return db
    .selectFrom("image_manifest as manifest")
    .select(["manifest.id", "manifest.repository_id", "manifest.digest", "manifest.size_bytes"])
    .where(({ or, eb }) => or([eb("manifest.kept_until", "<=", now), eb("manifest.deleted_at", "is not", null)]))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("tag").select("tag.id").whereRef("tag.manifest_id", "=", "manifest.id"))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom("manifest_child").select("child_id").whereRef("manifest_child.child_id", "=", "manifest.id")),
      ),
    )
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb("manifest.subject", "is", null),
        eb("manifest.deleted_at", "is not", null),
        not(
          exists(
            selectFrom("image_manifest as subject")
              .select("subject.id")
              .whereRef("subject.repository_id", "=", "manifest.repository_id")
              .whereRef("subject.digest", "=", "manifest.subject"),
          ),
        ),
      ]),
    );
}

/** The manifests that some manifests keep: those in their lists, and those of which they are the subject. */
export async function listReferred(
  db: RegistryDb,
  repositoryId: string,
  manifests: readonly LooseManifest[],
): Promise<readonly string[]> {
  const referred = new Set<string>();
  for (const some of inChunks(manifests)) {
    const ids = some.map(({ id }) => id);
    const children = await db
      .selectFrom("manifest_child")
      .select("child_id as id")
      .where("manifest_id", "in", ids)
      .execute();
    const digests = some.map(({ digest }) => digest);
    const referrers = await db
      .selectFrom("image_manifest")
      .select("id")
      .where("repository_id", "=", repositoryId)
      .where("subject", "in", digests)
      .execute();
    for (const { id } of [...children, ...referrers]) referred.add(id);
  }
  for (const { id } of manifests) referred.delete(id);
  return [...referred];
}

/** The blobs of a manifest. */
export function listBlobsOf(db: RegistryDb, manifestId: string) {
  return db.selectFrom("manifest_blob").select("digest").where("manifest_id", "=", manifestId).execute();
}

/** The bytes of manifests that count for their namespace. */
export async function metadataBytesOf(db: RegistryDb, manifests: readonly { readonly id: string }[]): Promise<number> {
  let bytes = 0;
  for (const some of inChunks(manifests)) {
    const ids = some.map(({ id }) => id);
    const rows = await db.selectFrom("image_manifest").select("metadata_bytes").where("id", "in", ids).execute();
    for (const { metadata_bytes } of rows) bytes += metadata_bytes;
  }
  return bytes;
}

/** Deletes a manifest. */
export async function removeManifest(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("image_manifest").where("id", "=", id).execute();
}

/** Unlinks the given blobs that were linked until an instant and that no manifest of the repository has. */
export function deleteOldLinks(
  db: RegistryDb,
  repositoryId: string,
  { digests, until }: { readonly digests: readonly string[]; readonly until: number },
) {
  return db
    .deleteFrom("repository_blob")
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", digests)
    .where("manifests", "=", 0)
    .where("linked_at", "<=", until)
    .returning("digest")
    .execute();
}

/** Stores that the scanner may have reports of images that a repository no longer has. */
export async function noteCollectedImages(db: RegistryDb, manifestIds: readonly string[]): Promise<void> {
  for (const ids of inChunks(manifestIds)) {
    await db
      .insertInto("collected_image")
      .columns(["digest"])
      .expression((from) =>
        from
          .selectFrom("image_manifest")
          .innerJoin("manifest_scan", "manifest_scan.manifest_id", "image_manifest.id")
          .select("image_manifest.digest")
          .distinct()
          .where("image_manifest.id", "in", ids)
          .where("manifest_scan.attempts", ">", 0)
          .orderBy("image_manifest.digest"),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The amount of content without a current reference, by the reason why it stays for now. */
export interface Kept {
  /** Ended tags that can still be restored, with their images. */
  readonly tags: number;
  /** Manifests without a tag that were pushed by their digests not long ago. */
  readonly manifests: number;
  /** Blobs of repositories that no manifest has yet, since their push may be under way. */
  readonly links: number;
}

/** Counts the content that the given repositories keep without a current reference. */
export async function countKept(db: RegistryDb, ids: readonly string[], now: number): Promise<Kept> {
  const some = sql.join(ids);
  const { rows } = await sql<Kept>`select
    (select count(*) from tag join image_repository on image_repository.id = tag.repository_id
      join account on account.id = image_repository.namespace_id
      where tag.repository_id in (${some}) and tag.end_at is not null and tag.end_at <= ${now}
        and tag.end_at > ${now} - account.tag_expiration_s * 1000) as tags,
    (select count(*) from image_manifest where repository_id in (${some}) and kept_until > ${now} and deleted_at is null
      and not exists (select 1 from tag where tag.manifest_id = image_manifest.id)) as manifests,
    (select count(*) from repository_blob where repository_id in (${some}) and manifests = 0
      and linked_at > ${now - graceMs.links}) as links`.execute(db);
  const [{ tags, manifests, links } = { tags: 0, manifests: 0, links: 0 }] = rows;
  return { tags: Number(tags), manifests: Number(manifests), links: Number(links) };
}

/** The number of uploads to which bytes were added in the last two days, and their bytes. */
export async function countUploading(db: RegistryDb, now: number) {
  const { uploads, bytes } = await db
    .selectFrom("upload")
    .select(({ fn }) => [fn.countAll<number>().as("uploads"), fn.sum<number | null>("received_bytes").as("bytes")])
    .where("updated_at", ">", now - graceMs.uploads)
    .executeTakeFirstOrThrow();
  return { uploads: Number(uploads), bytes: Number(bytes ?? 0) };
}

/** How many deleted repositories and namespaces wait to be removed. */
export async function countDeleted(db: RegistryDb) {
  const { repositories } = await db
    .selectFrom("image_repository")
    .select(({ fn }) => fn.countAll<number>().as("repositories"))
    .where("state", "=", sql.lit("deleted")) // a literal, so that the partial index is used
    .executeTakeFirstOrThrow();
  const { namespaces } = await db
    .selectFrom("retired_namespace")
    .select(({ fn }) => fn.countAll<number>().as("namespaces"))
    .executeTakeFirstOrThrow();
  return { repositories: Number(repositories), namespaces: Number(namespaces) };
}

/** A page of blobs, ordered by digest. `links` is 0 if no repository has the blob, otherwise 1. */
export async function listBlobsWithLinks(db: RegistryDb, { after, limit }: ReadFrom<string>) {
  const { rows } = await sql<{ digest: string; size_bytes: number; links: number }>`
      select digest, size_bytes,
        (select count(*) from (select 1 from repository_blob where repository_blob.digest = blob.digest limit 1) as one) as links
      from blob where digest > ${after} order by digest limit ${limit}`.execute(db);
  return rows;
}

/** A blob, and how many repositories have it. */
export function countLinksOf(db: RegistryDb, digest: string) {
  return db
    .selectFrom("blob")
    .select(["digest", "size_bytes"])
    .select(({ selectFrom }) =>
      selectFrom("repository_blob")
        .select(({ fn }) => fn.countAll<number>().as("links"))
        .whereRef("repository_blob.digest", "=", "blob.digest")
        .as("links"),
    )
    .where("digest", "=", digest)
    .executeTakeFirst();
}

/** Deletes a blob that no repository has. @returns false if one has it */
export async function removeUnlinkedBlob(db: RegistryDb, digest: string): Promise<boolean> {
  const removed = await db
    .deleteFrom("blob")
    .where("digest", "=", digest)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("repository_blob").select("digest").where("repository_blob.digest", "=", digest))),
    )
    .returning("digest")
    .executeTakeFirst();
  return removed !== undefined;
}

/** The uploads to which nothing was added after an instant. */
export function listUploadsUntil(db: RegistryDb, until: number) {
  return db
    .selectFrom("upload")
    .select(["id", "repository_id", "received_bytes"])
    .where("updated_at", "<=", until)
    .execute();
}

/** The announced digest of an upload; undefined if there is no such upload. */
export function findUpload(db: RegistryDb, id: string) {
  return db.selectFrom("upload").select("digest").where("id", "=", id).executeTakeFirst();
}

/** Whether an upload is that of a log that is being exported or archived. */
export async function isUploadOfLog(db: RegistryDb, id: string): Promise<boolean> {
  const exported = await db.selectFrom("log_export").select("id").where("id", "=", id).executeTakeFirst();
  if (exported !== undefined) return true;
  const writing = db.selectFrom("log_archive").select("id").where("state", "=", "writing").where("upload_id", "=", id);
  if ((await writing.executeTakeFirst()) !== undefined) return true;
  const ofBuild = db.selectFrom("build_log_archive").select("id").where("id", "=", id).where("state", "=", "writing");
  return (await ofBuild.executeTakeFirst()) !== undefined;
}
