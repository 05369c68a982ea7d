import { withoutUndefined } from "@plimsoll/core/internal";
import { type AccountRow, updateAccount } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import { deleteEmailCodes } from "../mail/queries/email-codes.ts";
import { unlessTaken } from "../store/conflicts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { checkEmailIsFree, emailTaken } from "./new-account.ts";

/** Settings that users and organizations have in common. What is absent stays. */
export interface AccountSettings {
  readonly invoice_email?: boolean | undefined;
  /** Empty: none. */
  readonly invoice_email_address?: string | undefined;
  readonly tag_expiration_s?: number | undefined;
}

/** Changes the given settings and logs the differences. */
export async function changeAccountSettings(
  {
    db,
    log,
  }: Pick<
    CallContext<
      "org_change_invoicing" | "org_change_tag_expiration" | "user_change_invoicing" | "user_change_tag_expiration"
    >,
    "db" | "log"
  >,
  account: AccountRow,
  wanted: AccountSettings,
): Promise<AccountRow> {
  const changes = columnsOf(wanted);
  if (Object.keys(changes).length === 0) return account;
  await updateAccount(db, account.id, changes);
  const after = { ...account, ...changes };
  const { invoice_email, invoice_email_address, tag_expiration_s: tag_expiration } = after;
  const isNew = (member: keyof AccountRow) => after[member] !== account[member];
  const isOrganization = account.kind === "organization";
  const place = isOrganization && { namespace: account.username };
  const invoicing = isOrganization ? "org_change_invoicing" : "user_change_invoicing";
  if (isNew("invoice_email")) await log(invoicing, { invoice_email: invoice_email === 1, ...place });
  if (isNew("invoice_email_address")) await log(invoicing, { invoice_email_address, ...place });
  if (isNew("tag_expiration_s")) {
    await log(isOrganization ? "org_change_tag_expiration" : "user_change_tag_expiration", {
      tag_expiration,
      ...place,
    });
  }
  return after;
}

function columnsOf({
  invoice_email,
  invoice_email_address: address,
  tag_expiration_s: seconds,
}: AccountSettings): Partial<AccountRow> {
  return withoutUndefined<Partial<AccountRow>>({
    invoice_email: invoice_email === undefined ? undefined : invoice_email ? 1 : 0,
    invoice_email_address: address === undefined ? undefined : address || null,
    tag_expiration_s: seconds,
  });
}

/** A new e-mail address of a user. */
export interface WantedEmail {
  readonly email: string;
  /** Whether the address is confirmed; where absent, that stays as it was. */
  readonly verified?: true;
}

/**
 * Sets the e-mail address of a user; no other user may have it. Earlier codes to recover the account or to change its address end. Must run in a transaction.
 * @throws RegistryError `invalid_request`
 */
export async function putEmail(
  db: RegistryDb,
  account: Pick<AccountRow, "id">,
  { email, verified }: WantedEmail,
): Promise<void> {
  await checkEmailIsFree(db, email, account);
  const changed = { email, verified: verified ? (1 as const) : undefined };
  await unlessTaken(updateAccount(db, account.id, changed), emailTaken);
  await deleteEmailCodes(db, account.id, ["recover", "change_email"]);
}
