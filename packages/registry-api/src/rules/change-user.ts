import type { OperationContext } from "../context.ts";
import { type AccountRow, findAccountById } from "../store/accounts.ts";
import type { UserProfile } from "../views/user.ts";
import { checkTagExpiration } from "./account-settings.ts";
import { sendEmailCode } from "./email-codes.ts";
import { checkEmailAddress } from "./names.ts";
import { checkEmailIsFree } from "./new-account.ts";
import { setPassword } from "./passwords.ts";
import { beginSession } from "./sign-in.ts";

/** What is to be different about a user; what is absent stays. */
export interface UserChanges extends UserProfile {
  readonly email?: string;
  readonly invoice_email?: boolean;
  readonly invoice_email_address?: string | null;
  readonly tag_expiration_s?: number;
  readonly passwordHash?: string | undefined;
}

/**
 * Changes a user and tells the usage log what is different. Another e-mail address counts once it is confirmed, where there is
 * mail. Another password ends every session but the caller's.
 * @throws RegistryError `invalid_request`
 */
export async function changeUser(
  context: OperationContext,
  account: AccountRow,
  changes: UserChanges,
): Promise<AccountRow> {
  const { db, log } = context;
  if (changes.email !== undefined && changes.email !== account.email)
    await changeEmail(context, account, changes.email);
  await changeSettings(context, account, changes);
  if (changes.passwordHash !== undefined) {
    await setPassword(context, account, changes.passwordHash);
    await log("account_change_password", {});
  }
  const after = (await findAccountById(db, account.id)) ?? account;
  if (changes.passwordHash !== undefined && context.session !== undefined) await beginSession(context, after);
  return after;
}

async function changeEmail(context: OperationContext, account: AccountRow, email: string): Promise<void> {
  checkEmailAddress(email);
  await checkEmailIsFree(context.db, email, account);
  if (context.ports.mailer !== undefined) return sendEmailCode(context, account, { purpose: "change_email", email });
  await setEmail(context, account, email);
}

async function setEmail(
  { db, log }: Pick<OperationContext, "db" | "log">,
  { id, email: old_email }: AccountRow,
  email: string,
): Promise<void> {
  await db.updateTable("account").set({ email }).where("id", "=", id).execute();
  await log("user_change_email", { email, old_email }, { namespaceId: id });
}

async function changeSettings(
  { db, settings, log }: OperationContext,
  account: AccountRow,
  changes: UserChanges,
): Promise<void> {
  const {
    invoice_email,
    invoice_email_address: address,
    tag_expiration_s,
    given_name,
    family_name,
    company,
    location,
  } = changes;
  if (tag_expiration_s !== undefined) checkTagExpiration(settings, tag_expiration_s);
  const profile = changeProfile(account.profile, { given_name, family_name, company, location });
  const after: AccountRow = {
    ...account,
    ...(invoice_email !== undefined && { invoice_email: invoice_email ? 1 : 0 }),
    ...(address !== undefined && { invoice_email_address: address || null }),
    ...(tag_expiration_s !== undefined && { tag_expiration_s }),
    profile,
  };
  const { invoice_email: invoiced, invoice_email_address } = after;
  const columns = { invoice_email: invoiced, invoice_email_address, tag_expiration_s: after.tag_expiration_s, profile };
  await db.updateTable("account").set(columns).where("id", "=", account.id).execute();
  if (invoiced !== account.invoice_email) await log("user_change_invoicing", { invoice_email });
  if (invoice_email_address !== account.invoice_email_address)
    await log("user_change_invoicing", { invoice_email_address });
  if (after.tag_expiration_s !== account.tag_expiration_s) {
    await log("user_change_tag_expiration", { tag_expiration: tag_expiration_s });
  }
  if (profile !== account.profile) await log("user_change_metadata", JSON.parse(profile));
}

/** What is absent of the changes stays. */
function changeProfile(profile: string, changes: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return JSON.stringify({ ...JSON.parse(profile), ...Object.fromEntries(given) });
}
