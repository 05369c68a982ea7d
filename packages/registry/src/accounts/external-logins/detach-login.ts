import { type AccountRow, updateAccount } from "../../access/queries.ts";
import type { Deps } from "../../deps.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import type { OutsideRole } from "../../ports/identities.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { deleteExternalLogin, listExternalLogins, updateExternalLogin } from "./queries.ts";

/**
 * Detaches a login of a service from an account. The last way to sign in cannot be detached.
 * @throws RegistryError `not_found` if the account has no such login, `invalid_request`
 */
export async function detachLogin(
  { db, directory }: { readonly db: RegistryDb } & Pick<Deps, "directory">,
  account: AccountRow,
  service: string,
): Promise<void> {
  const logins = await listExternalLogins(db, account.id);
  if (!logins.some((each) => each.service === service))
    throw notFound(`Your account has no login of ${service.slice(0, 100)}`);
  if (service === directory.service)
    throw invalidRequest("Logins of the directory cannot be detached: the next sign-in would attach them again");
  if (isOnlyWayIn(account, logins)) {
    throw invalidRequest(
      "This login is the only way to sign in to your account: set a password first, or attach another login",
    );
  }
  await deleteExternalLogin(db, account.id, service);
  await applyRoles(db, account);
}

/** Whether an account has one external login and no password. */
export function isOnlyWayIn(account: Pick<AccountRow, "password_hash">, logins: readonly unknown[]): boolean {
  return account.password_hash === null && logins.length === 1;
}

/** Stores the role that a service gives to its user. @returns the account after the change */
export async function storeRole(
  db: RegistryDb,
  account: AccountRow,
  { service, role }: { readonly service: string; readonly role: OutsideRole | undefined },
): Promise<AccountRow> {
  await updateExternalLogin(db, { account_id: account.id, service }, { role: role ?? null });
  return applyRoles(db, account);
}

/** Gives an account the role that its services determine: superuser, if one says so. @returns the account after the change */
export async function applyRoles(db: RegistryDb, account: AccountRow): Promise<AccountRow> {
  const roles = (await listExternalLogins(db, account.id)).map(({ role }) => role);
  const own = account.outside_role === "first" ? "first" : null;
  const outside_role = roles.find((role) => role === "superuser") ?? roles.find((role) => role !== null) ?? own;
  if (outside_role !== account.outside_role) await updateAccount(db, account.id, { outside_role });
  return { ...account, outside_role };
}
