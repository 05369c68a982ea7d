import { compileOnce, type Parameter } from "@plimsoll/store";
import { sql } from "kysely";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";

/** Ends every session of an account, and the registry tokens that were made for it. */
export async function endCredentials(db: RegistryDb, accountId: string): Promise<void> {
  await db
    .updateTable("account")
    .set({ credential_version: sql`credential_version + 1` }) // ends registry tokens and sessions in browsers
    .where("id", "=", accountId)
    .execute();
  await db.deleteFrom("session").where("account_id", "=", accountId).execute();
}

/** The session with that hash of a cookie's value. */
export const findByHash = compileOnce((db: RegistryDb, parameter: Parameter<{ idHash: string }>) =>
  db.selectFrom("session").selectAll().where("id_hash", "=", parameter("idHash")),
);

/** The session of an identity provider with which a session began. */
export function findProviderSession(db: RegistryDb, idHash: string) {
  return db
    .selectFrom("session")
    .select(["outside_service", "outside_token_sealed"])
    .where("id_hash", "=", idHash)
    .executeTakeFirst();
}

/** Stores that the password was just given. @returns false for a session that is stored in the browser only */
export async function refreshSession(db: RegistryDb, idHash: string, now: number): Promise<boolean> {
  const refreshed = await db
    .updateTable("session")
    .set({ fresh_at: now })
    .where("id_hash", "=", idHash)
    .returning("id_hash")
    .executeTakeFirst();
  return refreshed !== undefined;
}

/** Ends one session. */
export async function endSession(db: RegistryDb, idHash: string): Promise<void> {
  await db.deleteFrom("session").where("id_hash", "=", idHash).execute();
}

/** Stores a session. */
export async function insertSession(db: RegistryDb, session: NewRow<"session">): Promise<void> {
  await db.insertInto("session").values(session).execute();
}
