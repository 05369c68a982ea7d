import { sql } from "kysely";
import type { AccountRow } from "../access/queries/accounts.ts";
import type { OperationContext } from "../context.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { forgetFailuresOf } from "./failed-sign-ins.ts";

/** Ends every session of an account, and the registry tokens that were made for it. */
export async function endCredentials(db: RegistryDb, accountId: string): Promise<void> {
  await db
    .updateTable("account")
    .set({ credential_version: sql`credential_version + 1` }) // of this alone they end
    .where("id", "=", accountId)
    .execute();
  await db.deleteFrom("session").where("account_id", "=", accountId).execute();
}

/** Gives an account another password: its sessions and registry tokens end, and whoever guessed before may try again. */
export async function setPassword(
  { db }: Pick<OperationContext, "db">,
  account: Pick<AccountRow, "id">,
  passwordHash: string,
): Promise<void> {
  await db.updateTable("account").set({ password_hash: passwordHash }).where("id", "=", account.id).execute();
  await forgetFailuresOf(db, account);
  await endCredentials(db, account.id);
}
