import { type AccountRow, findAccountById, updateAccount } from "../../access/queries.ts";
import { putEmail } from "../../accounts/account-settings.ts";
import { invalidRequest } from "../../errors.ts";
import { useEmailCode } from "../../mail/email-codes.ts";
import type { EmailCode } from "../../mail/queries/email-codes.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { LogKind } from "../../values/log-kinds.ts";
import { setPassword } from "../sign-in/check-password.ts";

/** The time of a call, and the IP address of the client. */
interface CallPlace {
  readonly now: number;
  readonly ip: string;
}

/**
 * Confirms the e-mail address to which a code was sent. A new address becomes the user's. Must run in a transaction.
 * @throws RegistryError `invalid_request`
 */
export async function confirmEmail(db: RegistryDb, code: string, from: CallPlace): Promise<{ readonly email: string }> {
  const used = await useEmailCode(db, code, { purposes: ["confirm", "change_email"], now: from.now });
  const account = await getUser(db, used);
  const { email } = used;
  const isNew = used.purpose === "change_email";
  if (!isNew && account.email !== email)
    throw invalidRequest("The code is for an address that is no longer the user's");
  await putEmail(db, account, { email, verified: true });
  if (isNew)
    await log(db, account, { kind: "user_change_email", metadata: { email, old_email: account.email }, ...from });
  return { email };
}

/**
 * Sets a new password for a user who has received a code at their e-mail address. Must run in a transaction.
 * @throws RegistryError `invalid_request`
 */
export async function recoverAccount(
  db: RegistryDb,
  code: string,
  { passwordHash, ...from }: CallPlace & { readonly passwordHash: string },
): Promise<void> {
  const used = await useEmailCode(db, code, { purposes: ["recover"], now: from.now });
  const account = await getUser(db, used);
  if (account.email !== used.email) throw invalidRequest("The code is for an address that is no longer the user's");
  await setPassword({ db }, account, passwordHash);
  await updateAccount(db, account.id, { verified: 1 });
  await log(db, account, { kind: "account_change_password", metadata: {}, ...from });
}

async function getUser(
  db: RegistryDb,
  { account_id }: EmailCode & { readonly account_id: string },
): Promise<AccountRow> {
  const account = await findAccountById(db, account_id);
  if (account?.kind === "user" && account.enabled === 1) return account;
  throw invalidRequest("The account of this code does not exist any more");
}

function log(
  db: RegistryDb,
  account: AccountRow,
  {
    kind,
    metadata,
    now: at,
    ip,
  }: CallPlace & { readonly kind: LogKind; readonly metadata: Readonly<Record<string, unknown>> },
): Promise<void> {
  const principal = { kind: "user", account, via: { kind: "password" } } as const;
  return writeUsageLog(db, { kind, metadata, namespaceId: account.id, principal, ip, at });
}
