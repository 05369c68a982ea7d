import type { Selectable } from "kysely";
import type { OAuthCodeTable } from "../../../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";

/** A code as it is stored. */
export type Code = Selectable<OAuthCodeTable>;

/**
 * Removes an unused code from the table and returns it. If the code was exchanged before, deletes the token for which it was exchanged.
 */
export async function useCode(db: RegistryDb, codeHash: string, clientId: string): Promise<Code | undefined> {
  const codes = db.deleteFrom("oauth_code").where("code_hash", "=", codeHash).where("client_id", "=", clientId);
  const used = await codes.where("token_id", "is", null).returningAll().executeTakeFirst();
  if (used !== undefined) return used;
  const replayed = db
    .selectFrom("oauth_code")
    .select("token_id")
    .where("code_hash", "=", codeHash)
    .where("client_id", "=", clientId);
  await db.deleteFrom("oauth_token").where("id", "in", replayed).execute();
  return undefined;
}

/** Stores a code: a new one, or an exchanged one with the id of its token. */
export async function insertCode(db: RegistryDb, code: NewRow<"oauth_code">): Promise<void> {
  await db.insertInto("oauth_code").values(code).execute();
}
