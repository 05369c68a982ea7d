import type { AccountRow } from "../access/queries/accounts.ts";
import { unlessTaken } from "../store/conflicts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { checkEmailIsFree, emailTaken } from "./new-account.ts";

/** An e-mail address that a user is to have. */
export interface WantedEmail {
  readonly email: string;
  /** Whether it is known to be theirs; else that stays as it was. */
  readonly verified?: true;
}

/** Gives a user an e-mail address that no other user has. Belongs into a transaction. @throws RegistryError `invalid_request` */
export async function putEmail(
  db: RegistryDb,
  account: Pick<AccountRow, "id">,
  { email, verified }: WantedEmail,
): Promise<void> {
  await checkEmailIsFree(db, email, account);
  const changed = { email, ...(verified && { verified: 1 as const }) };
  await unlessTaken(db.updateTable("account").set(changed).where("id", "=", account.id).execute(), emailTaken);
}
