import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import { hashSecret, randomSecret, type Sealer } from "../crypto/secrets.ts";
import { notFound } from "../errors.ts";
import type { MadeKey, ReadFrom } from "../lists/read-from.ts";
import type { RepositoryRole } from "../store/tables/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { RepositoryTokenTable } from "../store/tables/repositories.ts";

/** A repository token as it is stored. */
export type RepositoryTokenRow = Selectable<RepositoryTokenTable>;

/** A token to be. */
export interface NewRepositoryToken {
  readonly repository: ImageRepository;
  readonly friendlyName: string;
  readonly now: number;
}

/** Makes a password for one repository, at first for reading. Its code can be shown again. */
export async function createRepositoryToken(
  db: RegistryDb,
  secrets: Sealer,
  { repository, friendlyName, now }: NewRepositoryToken,
): Promise<RepositoryTokenRow> {
  const code = randomSecret(64);
  const row: RepositoryTokenRow = {
    id: randomUUID(),
    repository_id: repository.id,
    friendly_name: friendlyName,
    role: "read",
    code_hash: hashSecret(code),
    code_sealed: secrets.seal(code),
    created_at: now,
  };
  await db.insertInto("repository_token").values(row).execute();
  return row;
}

/** Some tokens of a repository, the oldest first. */
export async function listRepositoryTokens(
  db: RegistryDb,
  repository: ImageRepository,
  { after, limit }: ReadFrom<MadeKey>,
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

/** The token of a repository with that code. @throws RegistryError `not_found` */
export async function getRepositoryToken(
  db: RegistryDb,
  repository: ImageRepository,
  code: string,
): Promise<RepositoryTokenRow> {
  const tokens = db.selectFrom("repository_token").selectAll().where("repository_id", "=", repository.id);
  const token = await tokens.where("code_hash", "=", hashSecret(code)).executeTakeFirst();
  if (token === undefined) throw notFound();
  return token;
}

/** Lets a token do more or less. */
export async function setRepositoryTokenRole(db: RegistryDb, id: string, role: RepositoryRole): Promise<void> {
  await db.updateTable("repository_token").set({ role }).where("id", "=", id).execute();
}
