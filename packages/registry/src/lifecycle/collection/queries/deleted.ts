import { sql } from "kysely";
import type { RegistryDb } from "../../../store/tables/all.ts";

/** How many manifests are removed in one transaction. */
export const pageLength = 200;

/** Whether a repository is marked as deleted. */
export async function isDeleted(db: RegistryDb, repositoryId: string): Promise<boolean> {
  const row = await db.selectFrom("image_repository").select("state").where("id", "=", repositoryId).executeTakeFirst();
  return row?.state === "deleted";
}

/** Removes a page of a repository's tags. @returns whether there were any */
export async function removeTags(db: RegistryDb, repositoryId: string): Promise<boolean> {
  const tags = db.selectFrom("tag").select("id").where("repository_id", "=", repositoryId).limit(pageLength);
  const removed = await db.deleteFrom("tag").where("id", "in", tags).executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** How many rows of a namespace are removed at once. */
const stepLength = 50;

/** The keys of the next rows of an owner to remove, at most {@link stepLength}. */
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

/** The next manifests of a repository to remove, at most {@link pageLength}. */
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

/** Unlinks a page of blobs from a repository without manifests. @returns their digests */
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
