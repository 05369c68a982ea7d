import { sql } from "kysely";
import type { OperationContext } from "../context.ts";
import { RegistryError } from "../errors.ts";
import { type AccountRow, findUserByLogin } from "../store/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { checkPasswordOf } from "./check-password.ts";
import { createSession, csrfTokenMissing, endSession } from "./sessions.ts";

/**
 * The user who signs in with a name or e-mail address and a password. Only from a session, whose CSRF token was shown then: no
 * other page signs a visitor in as somebody else. Not for a transaction: failures are counted.
 * @throws RegistryError `insufficient_scope`, `too_many_requests`
 */
export async function identifySignIn(
  context: Pick<OperationContext, "db" | "now" | "passwords" | "session" | "ports">,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<AccountRow> {
  if (context.session === undefined) throw csrfTokenMissing();
  const account = await findUserByLogin(context.db, username);
  const isRight = await checkPasswordOf(context, account, password);
  if (account === undefined || !isRight) throw refusal("Invalid username or password", { invalidCredentials: true });
  if (account.enabled === 0) throw refusal("This user is disabled", {});
  if (context.ports.mailer !== undefined && account.verified === 0) {
    throw refusal("The e-mail address is not confirmed yet", { needsEmailVerification: true });
  }
  return account;
}

/** Begins the session of a user in the caller's browser; the one that was there ends, whoever may know of it. */
export async function beginSession(
  {
    db,
    now,
    session,
    settings,
    sendSession,
  }: Pick<OperationContext, "db" | "now" | "session" | "settings" | "sendSession">,
  account: AccountRow,
): Promise<void> {
  if (session !== undefined) await endSession(db, session.idHash);
  sendSession(await createSession(db, { account, now, lifetimeSeconds: settings.sessionSeconds }));
}

/** Ends every session of an account, and the registry tokens that were made for it. */
export async function endCredentials(db: RegistryDb, accountId: string): Promise<void> {
  await db.deleteFrom("session").where("account_id", "=", accountId).execute();
  await db
    .updateTable("account")
    .set({ credential_version: sql`credential_version + 1` })
    .where("id", "=", accountId)
    .execute();
}

function refusal(message: string, reasons: Readonly<Record<string, boolean>>): RegistryError {
  const details = { needsEmailVerification: false, invalidCredentials: false, ...reasons };
  return new RegistryError("insufficient_scope", message, { details });
}
