import type { ReadFrom } from "../../lists/list-pages.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { BlobFault } from "../../store/tables/content.ts";

/** The size of a blob, and its fault if it has one; undefined if there is no such blob. */
export function findStoredBlob(db: RegistryDb, digest: string) {
  return db
    .selectFrom("blob")
    .select(["digest", "size_bytes", "fault"])
    .where("digest", "=", digest)
    .executeTakeFirst();
}

/** Whether any blob was stored. */
export async function hasStoredBlobs(db: RegistryDb): Promise<boolean> {
  return (await db.selectFrom("blob").select("digest").limit(1).executeTakeFirst()) !== undefined;
}

/** Sets the fault of a blob, or ends it. @returns whether the blob had another fault, or none */
export async function setFault(
  db: RegistryDb,
  { digest, fault, now }: { readonly digest: string; readonly fault: BlobFault | null; readonly now: number },
): Promise<boolean> {
  const changed = await db
    .updateTable("blob")
    .set({ fault, damaged_at: fault === null ? null : now })
    .where("digest", "=", digest)
    .where("fault", fault === null ? "is not" : "is distinct from", fault)
    .returning("digest")
    .executeTakeFirst();
  return changed !== undefined;
}

/** Some damaged blobs, the latest first. */
export async function listDamaged(db: RegistryDb, limit: number) {
  const rows = await db
    .selectFrom("blob")
    .select(["digest", "size_bytes", "fault", "damaged_at"])
    .where("damaged_at", "is not", null)
    .orderBy("damaged_at", "desc")
    .orderBy("digest")
    .limit(limit)
    .execute();
  return rows.flatMap(({ fault, damaged_at, ...blob }) =>
    fault === null || damaged_at === null ? [] : [{ ...blob, fault, found_at: damaged_at }],
  );
}

/** Has the mirrors run soon whose repositories have a blob: each fetches it anew. */
export async function syncMirrorsOf(db: RegistryDb, digest: string): Promise<void> {
  await db
    .updateTable("repository_mirror")
    .set({ sync_state: "SYNC_NOW", sync_expires_at: null })
    .where("is_enabled", "=", 1)
    .where("sync_state", "not in", ["SYNC_NOW", "SYNCING"])
    .where("repository_id", "in", (from) =>
      from.selectFrom("repository_blob").select("repository_id").where("digest", "=", digest),
    )
    .execute();
}

/** Some of the blobs of repositories, by digest. */
export async function listLinkedBlobs(
  db: RegistryDb,
  { after, limit }: ReadFrom<string>,
): Promise<readonly { readonly digest: string; readonly size_bytes: number; readonly fault: BlobFault | null }[]> {
  return db
    .selectFrom("blob")
    .select(["digest", "size_bytes", "fault"])
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
