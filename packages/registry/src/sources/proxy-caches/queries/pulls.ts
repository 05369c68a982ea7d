import type { Selectable } from "kysely";
import type { RegistryDb } from "../../../store/tables/all.ts";
import type { ProxiedPullTable } from "../../../store/tables/upstreams.ts";

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
