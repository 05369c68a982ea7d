import type { Selectable } from "kysely";
import type { ImageRepository } from "../../../access/queries/image-repositories.ts";
import type { CreationKey, ReadFrom } from "../../../lists/read-from.ts";
import type { RepositoryRole } from "../../../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";
import type { RepositoryTokenTable } from "../../../store/tables/repositories.ts";

/** Deletes a token. */
export async function removeRepositoryToken(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("repository_token").where("id", "=", id).execute();
}

/** A repository token as it is stored. */
export type RepositoryTokenRow = Selectable<RepositoryTokenTable>;

/** Some tokens of a repository, the oldest first. */
export async function listRepositoryTokens(
  db: RegistryDb,
  repository: ImageRepository,
  { after, limit }: ReadFrom<CreationKey>,
): Promise<readonly RepositoryTokenRow[]> {
  return db
    .selectFrom("repository_token")
    .selectAll()
    .where("repository_id", "=", repository.id)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), ">", tuple(...after)))
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Changes the role of a token. */
export async function setRepositoryTokenRole(db: RegistryDb, id: string, role: RepositoryRole): Promise<void> {
  await db.updateTable("repository_token").set({ role }).where("id", "=", id).execute();
}

/** Stores a token. */
export async function insertRepositoryToken(db: RegistryDb, token: NewRow<"repository_token">): Promise<void> {
  await db.insertInto("repository_token").values(token).execute();
}

/** The token of a repository with that code. */
export async function findRepositoryToken(
  db: RegistryDb,
  repositoryId: string,
  codeHash: string,
): Promise<RepositoryTokenRow | undefined> {
  const tokens = db.selectFrom("repository_token").selectAll().where("repository_id", "=", repositoryId);
  return tokens.where("code_hash", "=", codeHash).executeTakeFirst();
}
