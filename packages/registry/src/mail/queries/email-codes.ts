import type { Selectable } from "kysely";
import type { EmailCodeTable } from "../../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";

/** The purpose of a code that an account gets by e-mail. */
export type EmailPurpose = "confirm" | "change_email" | "recover";

/** A code as it is stored. */
export type EmailCode = Selectable<EmailCodeTable>;

/** Whether there is a code for the same purpose that expires later. */
export async function hasEmailCode(
  db: RegistryDb,
  code: Pick<EmailCode, "account_id" | "repository_id" | "purpose" | "email">,
  expiresAfter: number,
): Promise<boolean> {
  const sent = await db
    .selectFrom("email_code")
    .select("code_hash")
    .where("account_id", "is not distinct from", code.account_id)
    .where("repository_id", "is not distinct from", code.repository_id)
    .where("purpose", "=", code.purpose)
    .where("email", "=", code.email)
    .where("expires_at", ">", expiresAfter)
    .executeTakeFirst();
  return sent !== undefined;
}

/** Stores a code. */
export async function insertEmailCode(db: RegistryDb, code: NewRow<"email_code">): Promise<void> {
  await db.insertInto("email_code").values(code).execute();
}

/** Deletes an account's codes for some purposes. */
export async function deleteEmailCodes(
  db: RegistryDb,
  accountId: string,
  purposes: readonly EmailPurpose[],
): Promise<void> {
  await db.deleteFrom("email_code").where("account_id", "=", accountId).where("purpose", "in", purposes).execute();
}

/** Removes and returns a code that has not expired. */
export async function takeEmailCode(
  db: RegistryDb,
  codeHash: string,
  { purposes, now }: { readonly purposes: readonly EmailPurpose[]; readonly now: number },
): Promise<EmailCode | undefined> {
  return db
    .deleteFrom("email_code")
    .where("code_hash", "=", codeHash)
    .where("purpose", "in", purposes)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
}
