import type { RegistryDb } from "../../../store/tables/all.ts";

interface ListAt {
  readonly repositoryId: string;
  readonly digest: string;
}

/** The last list of the referrers of a manifest: JSON. */
export async function findReferrersText(db: RegistryDb, { repositoryId, digest }: ListAt): Promise<string | undefined> {
  const list = await db
    .selectFrom("proxied_referrers")
    .select("content")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  return list?.content;
}

/** Stores a list of referrers, in place of the last one. */
export async function putReferrersText(
  db: RegistryDb,
  { repositoryId, digest }: ListAt,
  content: string,
): Promise<void> {
  await db
    .insertInto("proxied_referrers")
    .values({ repository_id: repositoryId, digest, content })
    .onConflict((conflict) => conflict.columns(["repository_id", "digest"]).doUpdateSet({ content }))
    .execute();
}

/** Deletes lists of manifests that their repositories do not have. */
export async function deleteUnusedReferrers(db: RegistryDb): Promise<void> {
  await db
    .deleteFrom("proxied_referrers")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("image_manifest")
            .select("image_manifest.id")
            .whereRef("image_manifest.repository_id", "=", "proxied_referrers.repository_id")
            .whereRef("image_manifest.digest", "=", "proxied_referrers.digest"),
        ),
      ),
    )
    .execute();
}
