import { type AccountRow, updateAccount } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { RegistryError } from "../../errors.ts";
import { removePersonalBelongings } from "../../lifecycle/collection/queries/deleted.ts";
import { addAdmin } from "../../organizations/organizations.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { type IdentifyLoginContext, identifyLogin } from "../sign-in/identify-login.ts";
import { endCredentials } from "../sign-in/queries/token-holders.ts";
import { checkLeavesAdmins } from "./users.ts";

/**
 * Identifies the user who will administer the new organization by their password. Must not run in a transaction, since failures are
 * counted.
 * @throws RegistryError `invalid_request`, `too_many_requests`
 */
export async function identifyNewOwner(
  context: IdentifyLoginContext,
  converted: AccountRow,
  { adminUser, adminPassword }: { readonly adminUser: string; readonly adminPassword: string },
): Promise<AccountRow> {
  const owner = await identifyLogin(context, adminUser, adminPassword);
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
