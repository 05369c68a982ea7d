import { type AccountRow, updateAccount } from "../../access/queries.ts";
import type { OutsideRole } from "../../ports/identities.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { listExternalLogins, updateExternalLogin } from "./queries.ts";

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
