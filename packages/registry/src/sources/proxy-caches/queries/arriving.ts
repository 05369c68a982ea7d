import type { Digest } from "@plimsoll/core/digest";
import type { Selectable } from "kysely";
import { inChunks } from "../../../store/bounded-reads.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";
import type { ProxiedManifestTable, ProxiedPullTable } from "../../../store/tables/upstreams.ts";

/** A manifest whose blobs are being fetched. */
export type ArrivingRow = Selectable<ProxiedManifestTable>;

/** The key of an arriving manifest. */
interface ArrivingAt {
  readonly repositoryId: string;
  readonly digest: string;
}

/** The manifest with a digest, if its blobs are being fetched into a repository. */
export async function findArriving(
  db: RegistryDb,
  { repositoryId, digest }: ArrivingAt,
): Promise<ArrivingRow | undefined> {
  return db
    .selectFrom("proxied_manifest")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .executeTakeFirst();
}

/** Stores an arriving manifest and the blobs that it needs, unless they are stored already. Must run in a transaction. */
export async function insertArriving(
  db: RegistryDb,
  row: ArrivingRow,
  parts: readonly { readonly digest: Digest; readonly sizeBytes: number }[],
): Promise<void> {
  const inserted = await db
    .insertInto("proxied_manifest")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("digest")
    .executeTakeFirst();
  if (inserted === undefined) return;
  const { repository_id, digest: manifest_digest } = row;
  const blobs = parts.map(({ digest, sizeBytes: size_bytes }) => ({
    repository_id,
    manifest_digest,
    digest,
    size_bytes,
  }));
  for (const some of inChunks(blobs)) await db.insertInto("proxied_blob").values(some).execute();
}

/** Deletes the row of a manifest whose blobs have arrived, or will not be fetched. */
export async function removeArriving(db: RegistryDb, { repositoryId, digest }: ArrivingAt): Promise<void> {
  await db
    .deleteFrom("proxied_manifest")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .execute();
}

/** The size in bytes of a blob that an arriving manifest needs; undefined if none needs it. */
export async function findArrivingSize(
  db: RegistryDb,
  { repositoryId, digest }: ArrivingAt,
): Promise<number | undefined> {
  const blob = await db
    .selectFrom("proxied_blob")
    .select("size_bytes")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  return blob?.size_bytes;
}

/** The size in bytes of a blob of a repository that is damaged, so that it must be fetched anew. */
export async function findDamagedSize(
  db: RegistryDb,
  { repositoryId, digest }: ArrivingAt,
): Promise<number | undefined> {
  const blob = await db
    .selectFrom("repository_blob")
    .innerJoin("blob", "blob.digest", "repository_blob.digest")
    .select("blob.size_bytes")
    .where("repository_blob.repository_id", "=", repositoryId)
    .where("repository_blob.digest", "=", digest)
    .where("blob.damaged_at", "is not", null)
    .executeTakeFirst();
  return blob?.size_bytes;
}

/** The id of a repository of the namespace that has a blob. */
export async function findHolder(
  db: RegistryDb,
  { namespaceId, digest }: { readonly namespaceId: string; readonly digest: string },
): Promise<string | undefined> {
  const holder = await db
    .selectFrom("repository_blob")
    .innerJoin("image_repository", "image_repository.id", "repository_blob.repository_id")
    .select("image_repository.id")
    .where("repository_blob.digest", "=", digest)
    .where("image_repository.namespace_id", "=", namespaceId)
    .where("image_repository.state", "!=", "deleted")
    .limit(1)
    .executeTakeFirst();
  return holder?.id;
}

/** The total size of those of some blobs that a namespace does not have yet. */
export async function countMissingBytes(
  db: RegistryDb,
  namespaceId: string,
  parts: readonly { readonly digest: Digest; readonly sizeBytes: number }[],
): Promise<number> {
  const held = new Set<string>();
  for (const some of inChunks(parts.map(({ digest }) => digest))) {
    const rows = await db
      .selectFrom("namespace_blob")
      .select("digest")
      .where("namespace_id", "=", namespaceId)
      .where("digest", "in", some)
      .execute();
    for (const { digest } of rows) held.add(digest);
  }
  return parts.reduce((sum, { digest, sizeBytes }) => sum + (held.has(digest) ? 0 : sizeBytes), 0);
}

/** The last pull of a tag or a digest. */
export type PullRow = Selectable<ProxiedPullTable>;

/** The last pull of a reference. */
export async function findPull(
  db: RegistryDb,
  { repositoryId, reference }: { readonly repositoryId: string; readonly reference: string },
): Promise<PullRow | undefined> {
  return db
    .selectFrom("proxied_pull")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .where("reference", "=", reference)
    .executeTakeFirst();
}

/** Stores a pull, in place of the last one of the same reference. */
export async function putPull(db: RegistryDb, row: PullRow): Promise<void> {
  await db
    .insertInto("proxied_pull")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["repository_id", "reference"]).doUpdateSet({ digest: row.digest, pulled_at: row.pulled_at }),
    )
    .execute();
}

/** Deletes a pull. */
export async function removePull(db: RegistryDb, { repository_id, reference }: PullRow): Promise<void> {
  await db
    .deleteFrom("proxied_pull")
    .where("repository_id", "=", repository_id)
    .where("reference", "=", reference)
    .execute();
}

/** The tags and the digest by which a manifest was pulled last. */
export async function listReferencesTo(
  db: RegistryDb,
  { repositoryId, digest }: { readonly repositoryId: string; readonly digest: string },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("proxied_pull")
    .select("reference")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .execute();
  return rows.map(({ reference }) => reference);
}

/** The oldest pull of a namespace. @param pull.besides the digest whose pulls do not count */
export async function findOldestPull(
  db: RegistryDb,
  { namespaceId, besides }: { readonly namespaceId: string; readonly besides: string },
): Promise<PullRow | undefined> {
  return db
    .selectFrom("proxied_pull")
    .selectAll()
    .where("namespace_id", "=", namespaceId)
    .where("digest", "!=", besides)
    .orderBy("pulled_at")
    .limit(1)
    .executeTakeFirst();
}

/** Deletes pulls until an instant whose manifests their repositories do not have. */
export async function deleteUnusedPulls(db: RegistryDb, until: number): Promise<void> {
  await db
    .deleteFrom("proxied_pull")
    .where("pulled_at", "<=", until)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("image_manifest")
            .select("image_manifest.id")
            .whereRef("image_manifest.repository_id", "=", "proxied_pull.repository_id")
            .whereRef("image_manifest.digest", "=", "proxied_pull.digest"),
        ),
      ),
    )
    .execute();
}

/** Deletes arriving manifests that were stored until an instant: their blobs never arrived. */
export async function deleteOldManifests(db: RegistryDb, until: number): Promise<void> {
  await db.deleteFrom("proxied_manifest").where("created_at", "<=", until).execute();
}
