import type { AccountRow } from "../../access/queries.ts";
import type { Deps } from "../../deps.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { applyRoles } from "./outside-role.ts";
import { deleteExternalLogin, listExternalLogins } from "./queries.ts";

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
  if (service === directory?.service)
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
