import { type AccountRow, updateAccount } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { deleteEmailCodes } from "../../mail/queries/email-codes.ts";
import { deleteFailuresOf } from "./failed-sign-ins.ts";
import { deleteSignInNetworks } from "./queries/sign-ins.ts";
import { endCredentials } from "./queries/token-holders.ts";

/**
 * Sets the password of an account. Its sessions and registry tokens end, and so do waits after failed sign-ins. No network is known any
 * more. Codes that were sent to recover the account or to change its address end too: an intruder may have asked for them, and the
 * owner changes the password to lock the intruder out.
 */
export async function setPassword(
  { db }: Pick<CallContext, "db">,
  account: Pick<AccountRow, "id">,
  passwordHash: string,
): Promise<void> {
  await updateAccount(db, account.id, { password_hash: passwordHash });
  await deleteFailuresOf(db, account);
  await deleteSignInNetworks(db, account.id);
  await deleteEmailCodes(db, account.id, ["recover", "change_email"]);
  await endCredentials(db, account.id);
}
