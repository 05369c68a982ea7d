import { type AccountRow, findAccountById, updateAccount } from "../../access/queries.ts";
import type { NewSession } from "../../access/session.ts";
import { type AccountSettings, changeAccountSettings, putEmail } from "../../accounts/account-settings.ts";
import { checkEmailIsFree } from "../../accounts/new-account.ts";
import type { CallContext } from "../../context.ts";
import { sendEmailCode } from "../../mail/email-codes.ts";
import { noMailer } from "../../ports.ts";
import { checkEmailAddress } from "../../values/names.ts";
import { setPassword } from "../sign-in/check-password.ts";
import { replaceSession } from "../sign-in/sign-in.ts";

/** What users say of themselves. */
interface UserProfile {
  readonly given_name?: string;
  readonly family_name?: string;
  readonly company?: string;
  readonly location?: string;
}

/** The changes to a user. Absent members do not change. */
interface UserChanges extends UserProfile, AccountSettings {
  readonly email?: string;
  readonly passwordHash?: string | undefined;
}

/** A user after changes. */
interface ChangedUser {
  readonly account: AccountRow;
  /** The new session of the caller's browser, where the former one has ended. */
  readonly session: NewSession | undefined;
}

/**
 * Changes a user and logs the differences. If the registry can send mail, a new e-mail address is set once it is confirmed. A new
 * password ends every session; the caller's is replaced.
 * @throws RegistryError `invalid_request`
 */
export async function changeUser(
  context: CallContext<
    | "account_change_password"
    | "org_change_invoicing"
    | "org_change_tag_expiration"
    | "user_change_email"
    | "user_change_invoicing"
    | "user_change_metadata"
    | "user_change_tag_expiration"
  >,
  account: AccountRow,
  changes: UserChanges,
): Promise<ChangedUser> {
  const { db, log } = context;
  if (changes.passwordHash !== undefined) {
    await setPassword(context, account, changes.passwordHash);
    await log("account_change_password", {});
  }
  // after the password: a new password ends the codes of earlier messages
  if (changes.email !== undefined && changes.email !== account.email)
    await changeEmail(context, account, changes.email);
  await changeAccountSettings(context, account, changes);
  await changeProfile(context, account, changes);
  const after = (await findAccountById(db, account.id)) ?? account;
  const replaces = changes.passwordHash !== undefined && context.session !== undefined;
  return { account: after, session: replaces ? await replaceSession(context, after) : undefined };
}

async function changeEmail(
  context: CallContext<"user_change_email">,
  account: AccountRow,
  email: string,
): Promise<void> {
  checkEmailAddress(email);
  await checkEmailIsFree(context.db, email, account);
  if (context.mailer !== noMailer) return sendEmailCode(context, account, { purpose: "change_email", email });
  await setEmail(context, account, email);
}

async function setEmail(
  { db, log }: Pick<CallContext<"user_change_email">, "db" | "log">,
  { id, email: old_email }: AccountRow,
  email: string,
): Promise<void> {
  await putEmail(db, { id }, { email });
  await log("user_change_email", { email, old_email }, { namespaceId: id });
}

async function changeProfile(
  { db, log }: CallContext<"user_change_metadata">,
  { id, profile: before }: AccountRow,
  { given_name, family_name, company, location }: UserProfile,
): Promise<void> {
  const given = Object.entries({ given_name, family_name, company, location }).filter(
    ([, value]) => value !== undefined,
  );
  const profile = JSON.stringify({ ...JSON.parse(before), ...Object.fromEntries(given) });
  if (profile === before) return;
  await updateAccount(db, id, { profile });
  await log("user_change_metadata", JSON.parse(profile));
}
