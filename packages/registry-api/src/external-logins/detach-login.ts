import type { AccountRow } from "../access/queries/accounts.ts";
import { invalidRequest, notFound } from "../errors.ts";
import type { Ports } from "../ports.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { applyRoles } from "./outside-role.ts";
import { deleteExternalLogin, listExternalLogins } from "./queries.ts";

/**
 * Detaches a login of a service from an account. The last way to sign in cannot be detached.
 * @throws RegistryError `not_found` if the account has no such login, `invalid_request`
 */
export async function detachLogin(
  { db, ports }: { readonly db: RegistryDb; readonly ports: Pick<Ports, "directory"> },
  account: AccountRow,
  service: string,
): Promise<void> {
  const logins = await listExternalLogins(db, account.id);
  if (!logins.some((each) => each.service === service))
    throw notFound(`Your account has no login of ${service.slice(0, 100)}`);
  if (service === ports.directory?.service)
    throw invalidRequest("Logins of the directory cannot be detached: the next sign-in would attach them again");
  if (account.password_hash === null && logins.length === 1) {
    throw invalidRequest(
      "This login is the only way to sign in to your account: set a password first, or attach another login",
    );
  }
  await deleteExternalLogin(db, account.id, service);
  await applyRoles(db, account);
}
