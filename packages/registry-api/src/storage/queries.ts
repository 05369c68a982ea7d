import type { ReadFrom } from "../lists/read-from.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** Some of the blobs of repositories, by digest. */
export async function listLinkedBlobs(
  db: RegistryDb,
  { after, limit }: ReadFrom<string>,
): Promise<readonly { readonly digest: string; readonly size_bytes: number }[]> {
  return db
    .selectFrom("blob")
    .select(["digest", "size_bytes"])
    .where("digest", ">", after)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("repository_blob").select("digest").whereRef("repository_blob.digest", "=", "blob.digest")),
    )
    .orderBy("digest")
    .limit(limit)
    .execute();
}

/** Some files of the archived usage log, by digest. */
export async function listArchiveBlobs(
  db: RegistryDb,
  { after, limit }: ReadFrom<string>,
): Promise<readonly { readonly digest: string; readonly size_bytes: number }[]> {
  return db
    .selectFrom("log_archive")
    .select(["digest", "size_bytes"])
    .where("state", "=", "archived")
    .where("digest", ">", after)
    .orderBy("digest")
    .limit(limit)
    .execute();
}

/** Some files of archived logs of builds, by digest. */
export async function listBuildLogBlobs(
  db: RegistryDb,
  { after, limit }: ReadFrom<string>,
): Promise<readonly { readonly digest: string; readonly size_bytes: number }[]> {
  return db
    .selectFrom("build_log_archive")
    .select(["digest", "size_bytes"])
    .where("state", "=", "archived")
    .where("build_id", "is not", null)
    .where("digest", ">", after)
    .orderBy("digest")
    .limit(limit)
    .execute();
}

/** The names of some repositories that have a blob, or that have the build whose log it is. */
export async function listHolders(db: RegistryDb, digest: string, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("repository_blob")
    .innerJoin("image_repository", "image_repository.id", "repository_blob.repository_id")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .select(["account.username", "image_repository.name"])
    .where("repository_blob.digest", "=", digest)
    .limit(limit)
    .execute();
  const ofBuild = await db
    .selectFrom("build_log_archive")
    .innerJoin("build", "build.id", "build_log_archive.build_id")
    .innerJoin("image_repository", "image_repository.id", "build.repository_id")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .select(["account.username", "image_repository.name"])
    .where("build_log_archive.digest", "=", digest)
    .execute();
  return [...rows, ...ofBuild].map(({ username, name }) => `${username}/${name}`).sort();
}

/** Whether a blob is a file of the archived usage log. */
export async function isArchiveBlob(db: RegistryDb, digest: string): Promise<boolean> {
  const archive = db.selectFrom("log_archive").select("id").where("digest", "=", digest).limit(1);
  return (await archive.executeTakeFirst()) !== undefined;
}
