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
