import { type AccountRow, updateAccount } from "../access/queries/accounts.ts";
import type { OperationContext } from "../context.ts";
import { forgetFailuresOf } from "./failed-sign-ins.ts";
import { endCredentials } from "./queries/sessions.ts";

/** Gives an account another password. Its sessions and registry tokens end; waits after failed sign-ins end too. */
export async function setPassword(
  { db }: Pick<OperationContext, "db">,
  account: Pick<AccountRow, "id">,
  passwordHash: string,
): Promise<void> {
  await updateAccount(db, account.id, { password_hash: passwordHash });
  await forgetFailuresOf(db, account);
  await endCredentials(db, account.id);
}
