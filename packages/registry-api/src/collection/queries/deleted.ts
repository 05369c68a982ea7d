import { sql } from "kysely";
import type { RegistryDb } from "../../store/tables/all.ts";

/** How many manifests are removed in one transaction. */
export const pageLength = 200;

/** Whether a repository is marked as deleted. */
export async function isDeleted(db: RegistryDb, repositoryId: string): Promise<boolean> {
  const row = await db.selectFrom("image_repository").select("state").where("id", "=", repositoryId).executeTakeFirst();
  return row?.state === "deleted";
}

/** Removes tags of a repository that has some. @returns whether it had */
export async function removeTags(db: RegistryDb, repositoryId: string): Promise<boolean> {
  const tags = db.selectFrom("tag").select("id").where("repository_id", "=", repositoryId).limit(pageLength);
  const removed = await db.deleteFrom("tag").where("id", "in", tags).executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** How many rows of a namespace are removed at a time. */
const stepLength = 50;

/** The keys of some rows of an owner: as many as are removed at once. */
export async function findSome(
  db: RegistryDb,
  table: "image_repository" | "robot" | "team",
  {
    columns: [key, owner],
    ownerId,
  }: { readonly columns: readonly [key: string, owner: string]; readonly ownerId: string },
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly key: string }>`
    select ${sql.ref(key)} as key from ${sql.table(table)} where ${sql.ref(owner)} = ${ownerId}
    limit ${stepLength}`.execute(db);
  return rows.map((row) => row.key);
}

/** The uploads into a repository that is deleted. */
export function listUploadsOfDeleted(db: RegistryDb, repositoryId: string) {
  return db
    .selectFrom("upload")
    .innerJoin("image_repository", "image_repository.id", "upload.repository_id")
    .select("upload.id")
    .where("upload.repository_id", "=", repositoryId)
    .where("image_repository.state", "=", "deleted")
    .execute();
}

/** Some manifests of a repository: as many as are removed at once. */
export function listSomeManifests(db: RegistryDb, repositoryId: string) {
  return db
    .selectFrom("image_manifest")
    .select("id")
    .where("repository_id", "=", repositoryId)
    .limit(pageLength)
    .execute();
}

/** Deletes the row of a repository. */
export async function removeRepository(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("image_repository").where("id", "=", id).execute();
}

/** Unlinks some blobs from a repository without manifests. @returns their digests */
export async function unlinkSomeBlobs(db: RegistryDb, repositoryId: string): Promise<readonly string[]> {
  const links = db.selectFrom("repository_blob").select("digest").where("repository_id", "=", repositoryId);
  const unlinked = await db
    .deleteFrom("repository_blob")
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", links.orderBy("digest").limit(pageLength))
    .returning("digest")
    .execute();
  return unlinked.map(({ digest }) => digest);
}

/** A namespace that was deleted. */
export function findRetired(db: RegistryDb, accountId: string) {
  return db
    .selectFrom("retired_namespace")
    .select(["account_id", "retired_at"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
}

/** Deletes accounts. */
export async function removeAccounts(db: RegistryDb, ids: readonly string[]): Promise<void> {
  await db.deleteFrom("account").where("id", "in", ids).execute();
}

/** Deletes teams. */
export async function deleteTeams(db: RegistryDb, ids: readonly string[]): Promise<void> {
  await db.deleteFrom("team").where("id", "in", ids).execute();
}
