import { isReadonlyName, isSuperuserName } from "../../access/global-role.ts";
import { type AccountRow, lockNamespace, updateAccount } from "../../access/queries.ts";
import { createAccount } from "../../accounts/new-account.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, RegistryError } from "../../errors.ts";
import { deleteNamespace } from "../../lifecycle/collection/deletions.ts";
import { removePersonalBelongings } from "../../lifecycle/collection/queries/deleted.ts";
import { sendEmailCode } from "../../mail/email-codes.ts";
import { addAdmin } from "../../organizations/organizations.ts";
import { listUserOrganizations } from "../../organizations/queries.ts";
import { isInvitedByEmail } from "../../organizations/teams/invites.ts";
import { listSoleAdministered } from "../../organizations/teams/queries/organization-members.ts";
import { noMailer } from "../../ports.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { checkEmailAddress, checkNamespaceName } from "../../values/names.ts";
import { type IdentifyLoginDeps, identifyLogin } from "../sign-in/identify-login.ts";
import { endCredentials } from "../sign-in/queries/token-holders.ts";

/** A user to create. */
export interface NewUser {
  readonly username: string;
  readonly email?: string | undefined;
  readonly passwordHash: string;
  /** The code of an invite by e-mail. It proves that the user has read the e-mail, and so confirms the address. */
  readonly inviteCode?: string | undefined;
  /** The page that the user wanted. The link in the e-mail returns to it. */
  readonly next?: string | undefined;
}

/**
 * Creates the account of a user who signs up. Names that the settings list as superusers are refused, except in the reference
 * profile.
 * @throws RegistryError `invalid_request`
 */
export async function signUp(context: CallContext<"user_create">, wanted: NewUser): Promise<AccountRow> {
  const { settings, log } = context;
  const { username, email = null } = wanted;
  const isListed = isSuperuserName(settings, username) || isReadonlyName(settings, username);
  if (isListed && settings.compatibility === "contract") {
    throw invalidRequest("Username is not available");
  }
  if (context.mailer !== noMailer && email === null) throw invalidRequest("Email address is required");
  const account = await createUser(context, wanted);
  await log("user_create", { username, email }, { namespaceId: account.id });
  return account;
}

/**
 * Creates the account of a user. If the registry can send mail, and the user has an address, they must confirm it before they can sign in.
 * @throws RegistryError `invalid_request`
 */
export async function createUser(
  context: Pick<CallContext, "db" | "settings" | "clock" | "mailer" | "secrets" | "now" | "pageAddress">,
  { username, email, passwordHash, inviteCode, next }: NewUser,
): Promise<AccountRow> {
  const { db, settings, mailer, now } = context;
  checkNamespaceName(username);
  if (email !== undefined) checkEmailAddress(email);
  const isUnproven = mailer !== noMailer && email !== undefined;
  const mustConfirm = isUnproven && !(await isInvitedByEmail(db, { code: inviteCode, email, now }));
  const request = { kind: "user", username, email, passwordHash, verified: !mustConfirm, now } as const;
  const account = await createAccount(db, settings, request);
  if (mustConfirm) await sendEmailCode(context, account, { purpose: "confirm", email, next });
  return account;
}

/** Deletes the account of a user, with everything that it owns. @throws RegistryError `invalid_request` for the only administrator of an organization */
export async function deleteUser(context: CallContext<"user_delete">, account: AccountRow): Promise<void> {
  await checkLeavesAdmins(context, account, "delete");
  await context.log("user_delete", { username: account.username }, { namespaceId: account.id });
  await deleteNamespace(context.db, account, context.clock);
}

/** Checks that every organization of a user keeps an administrator without them. @throws RegistryError `invalid_request` */
async function checkLeavesAdmins(
  { db }: Pick<CallContext, "db">,
  { id, username }: AccountRow,
  action: "delete" | "convert",
): Promise<void> {
  for (const organization of await listUserOrganizations(db, id)) await lockNamespace(db, organization.id);
  const orphans = await listSoleAdministered(db, id);
  if (orphans.length === 0) return;
  throw invalidRequest(
    `Cannot ${action} ${username} as you are the only admin for organizations: ${orphans.join(", ")}`,
  );
}

/**
 * Identifies the user who will administer the new organization by their password. Must not run in a transaction, since failures are
 * counted.
 * @throws RegistryError `invalid_request`, `too_many_requests`
 */
export async function identifyNewOwner(
  deps: IdentifyLoginDeps,
  converted: AccountRow,
  { adminUser, adminPassword }: { readonly adminUser: string; readonly adminPassword: string },
): Promise<AccountRow> {
  const owner = await identifyLogin(deps, adminUser, adminPassword);
  if (owner !== undefined && owner.enabled === 1 && owner.id !== converted.id) return owner;
  throw new RegistryError("invalid_request", "The admin user's credentials are not valid", {
    details: { reason: "invaliduser" },
  });
}

/** Converts the caller into an organization of an owner. @throws RegistryError `invalid_request` if an organization would have no administrator */
export async function convertUser(
  context: CallContext<"account_convert">,
  account: AccountRow,
  owner: AccountRow,
): Promise<void> {
  await checkLeavesAdmins(context, account, "convert");
  await makeOrganization(context.db, account, owner);
  await context.log("account_convert", {});
}

/**
 * Converts a user into an organization that an owner administers. Personal data and credentials are deleted; repositories and robots stay.
 */
export async function makeOrganization(db: RegistryDb, account: AccountRow, owner: AccountRow): Promise<void> {
  await removePersonalBelongings(db, account.id);
  await endCredentials(db, account.id);
  await updateAccount(db, account.id, { kind: "organization", password_hash: null, outside_role: null, profile: "{}" });
  await addAdmin(db, account, owner);
}
