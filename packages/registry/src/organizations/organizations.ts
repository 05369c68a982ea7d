import { checkNotRestricted } from "../access/principal.ts";
import { type AccountRow, updateAccount } from "../access/queries.ts";
import { type AccountSettings, changeAccountSettings } from "../accounts/account-settings.ts";
import { checkEmailIsFree, checkNameIsFree, createAccount, nameTaken } from "../accounts/new-account.ts";
import type { CallContext } from "../context.ts";
import { RegistryError } from "../errors.ts";
import { unlessTaken } from "../store/conflicts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { checkEmailAddress, checkNamespaceName } from "../values/names.ts";
import { putOwners, renameAccount, renameRobots } from "./queries.ts";
import { findAdminTeam } from "./teams/queries/organization-members.ts";
import { addToTeam } from "./teams/queries/teams.ts";

/** An organization to create. */
export interface NewOrganization {
  readonly name: string;
  readonly email?: string | undefined;
  /** The account that becomes its first administrator. */
  readonly creator: AccountRow;
}

/**
 * Makes an organization with the team `owners`, and its creator in it. Organizations may share an e-mail address, but not with a
 * user.
 * @throws RegistryError `invalid_request`, `insufficient_scope` where only superusers make organizations
 */
export async function createOrganization(
  { db, settings, globalRole, now }: CallContext,
  { name, email, creator }: NewOrganization,
): Promise<AccountRow> {
  checkNotRestricted(creator);
  if (settings.features.superuserOrganizationCreationOnly && !globalRole.isSuperuser) {
    throw new RegistryError("insufficient_scope", "Only superusers can create organizations");
  }
  checkNamespaceName(name);
  if (email !== undefined) {
    checkEmailAddress(email);
    await checkEmailIsFree(db, email);
  }
  const organization = await createAccount(db, settings, { kind: "organization", username: name, email, now });
  await addAdmin(db, organization, creator);
  return organization;
}

/** Makes a user an administrator of an organization, in the oldest team with the role `admin`; without one, in the team `owners`. */
export async function addAdmin(db: RegistryDb, organization: AccountRow, admin: AccountRow): Promise<void> {
  const teamId = (await findAdminTeam(db, organization.id)) ?? (await putOwners(db, organization));
  await addToTeam(db, teamId, admin.id);
}

/** The changes to an organization. Absent members do not change. */
export interface OrganizationChanges extends AccountSettings {
  /** Empty: none. */
  readonly email?: string | undefined;
}

/** Changes an organization and logs the differences. @throws RegistryError `invalid_request` */
export async function changeOrganization(
  context: Pick<
    CallContext<
      | "org_change_email"
      | "org_change_invoicing"
      | "org_change_tag_expiration"
      | "user_change_invoicing"
      | "user_change_tag_expiration"
    >,
    "db" | "settings" | "log"
  >,
  organization: AccountRow,
  { email: wanted, ...settings }: OrganizationChanges,
): Promise<AccountRow> {
  const { id, username: namespace, email: old_email } = organization;
  const email = wanted === undefined ? old_email : wanted || null;
  if (email !== old_email) {
    if (email !== null) checkEmailAddress(email);
    await updateAccount(context.db, id, { email });
    await context.log("org_change_email", { email, namespace, old_email });
  }
  return changeAccountSettings(context, { ...organization, email }, settings);
}

/** Renames an organization and its robots. @throws RegistryError `invalid_request` for a name that is taken */
export async function renameOrganization(
  { db, log }: Pick<CallContext<"org_change_name">, "db" | "log">,
  organization: AccountRow,
  { name, superuser }: { readonly name: string; readonly superuser: AccountRow },
): Promise<AccountRow> {
  checkNamespaceName(name);
  await checkNameIsFree(db, name, "organization");
  await unlessTaken(renameAccount(db, organization.id, name), () => nameTaken(name, "organization"));
  await renameRobots(db, organization.id, name);
  await log("org_change_name", {
    old_name: organization.username,
    new_name: name,
    superuser: superuser.username,
  });
  return { ...organization, username: name };
}
