import type { InstallUserSubject, NamespaceSubject } from "../access/as-superuser.ts";
import { isSuperuserAccount } from "../access/global-role.ts";
import type { SuperuserSubject } from "../access/on-account.ts";
import { type AccountRow, findAccountById, updateAccount } from "../access/queries.ts";
import { putEmail } from "../accounts/account-settings.ts";
import { keepDisabled } from "../accounts/external-logins/departures.ts";
import type { CallContext } from "../context.ts";
import type { Passwords } from "../crypto/passwords.ts";
import { randomSecret } from "../crypto/secrets.ts";
import { invalidRequest, noMail } from "../errors.ts";
import { setPassword } from "../identity/sign-in/check-password.ts";
import { createUser, makeOrganization, type NewUser } from "../identity/users/users.ts";
import { deleteNamespace } from "../lifecycle/collection/deletions.ts";
import { sendEmailCode } from "../mail/email-codes.ts";
import { addAdmin } from "../organizations/organizations.ts";
import { noMailer } from "../ports.ts";
import { checkEmailAddress } from "../values/names.ts";

/** Generates a random password and its hash. */
export async function generatePassword(
  passwords: Passwords,
): Promise<{ readonly password: string; readonly passwordHash: string }> {
  const password = randomSecret(32);
  return { password, passwordHash: await passwords.hash(password, { isSignedIn: true }) };
}

/** Creates the account of a user at a superuser's request. @throws RegistryError `invalid_request` */
export async function createInstallUser(
  context: CallContext<"user_create">,
  { superuser }: SuperuserSubject,
  wanted: NewUser,
): Promise<AccountRow> {
  const account = await createUser(context, wanted);
  const { id, username, email } = account;
  await context.log("user_create", { username, email, superuser: superuser.username }, { namespaceId: id });
  return account;
}

/** The changes to a user. */
export interface InstallUserChanges {
  readonly passwordHash: string | undefined;
  readonly email?: string;
  readonly enabled?: boolean;
}

/**
 * Changes a user at a superuser's request. A given e-mail address, new or not, counts as confirmed.
 * @throws RegistryError `invalid_request`, also for superusers
 */
export async function changeInstallUser(
  context: CallContext<"user_change_email" | "user_change_password" | "user_disable" | "user_enable">,
  { user, superuser }: InstallUserSubject,
  { passwordHash, email, enabled }: InstallUserChanges,
): Promise<AccountRow> {
  const { db, log } = context;
  rejectSuperuser(context, user, "update");
  const place = { namespaceId: user.id };
  const logged = { username: user.username, superuser: superuser.username };
  if (passwordHash !== undefined) {
    await setPassword(context, user, passwordHash);
    await log("user_change_password", logged, place);
  }
  if (email !== undefined && (email !== user.email || user.verified === 0)) {
    checkEmailAddress(email);
    await putEmail(db, user, { email, verified: true });
    await log("user_change_email", { old_email: user.email, email, superuser: superuser.username }, place);
  }
  if (enabled === false) await keepDisabled(db, user.id);
  if (enabled !== undefined && enabled !== (user.enabled === 1)) {
    await updateAccount(db, user.id, { enabled: enabled ? 1 : 0 });
    await log(enabled ? "user_enable" : "user_disable", logged, place);
  }
  return (await findAccountById(db, user.id)) ?? user;
}

/** Deletes a user, even the only admin of an organization. @throws RegistryError `invalid_request` for superusers */
export async function deleteInstallUser(
  context: CallContext<"user_delete">,
  { user }: InstallUserSubject,
): Promise<void> {
  rejectSuperuser(context, user, "delete");
  await context.log("user_delete", { username: user.username }, { namespaceId: user.id });
  await deleteNamespace(context.db, user, context.clock);
}

/** Sends a user a link for choosing another password. @returns the e-mail address @throws RegistryError `not_found`, `invalid_request` */
export async function sendRecovery(context: CallContext, { user }: InstallUserSubject): Promise<string> {
  if (context.mailer === noMailer) throw noMail();
  rejectSuperuser(context, user, "send a recovery e-mail for");
  if (user.email === null) throw invalidRequest("The user has no e-mail address");
  await sendEmailCode(context, user, { purpose: "recover", email: user.email });
  return user.email;
}

/** Refuses changes of superusers by other superusers. @throws RegistryError `invalid_request` */
function rejectSuperuser({ settings }: Pick<CallContext, "settings">, user: AccountRow, action: string): void {
  if (isSuperuserAccount(settings, user)) throw invalidRequest(`Cannot ${action} a superuser`);
}

/**
 * Makes a superuser an administrator of a namespace. A user is converted into an organization, even if they are the only administrator
 * of other organizations. The entry is written to the usage log of the superuser.
 * @throws RegistryError `invalid_request` for superusers
 */
export async function takeOwnership(
  context: CallContext<"take_ownership">,
  { namespace, superuser }: NamespaceSubject,
): Promise<void> {
  rejectSuperuser(context, namespace, "take ownership of");
  const wasUser = namespace.kind === "user";
  if (wasUser) await makeOrganization(context.db, namespace, superuser);
  else await addAdmin(context.db, namespace, superuser);
  const metadata = {
    entity_id: namespace.id,
    namespace: namespace.username,
    was_user: wasUser,
    superuser: superuser.username,
  };
  await context.log("take_ownership", metadata, { namespaceId: superuser.id });
}
