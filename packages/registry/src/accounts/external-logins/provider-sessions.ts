import { hashSecret } from "../../crypto/secrets.ts";
import { invalidRequest } from "../../errors.ts";
import type { IdentityProvider, ProviderLogout } from "../../ports/identities.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { endProviderSessions, useLogoutToken } from "./queries.ts";

/**
 * Ends the sessions that began with a session of an identity provider, or with any session of its user, as a validated logout token
 * requests. Must run in a transaction.
 * @returns the ids of the accounts whose sessions have ended
 * @throws RegistryError `invalid_request` for a token that was used before
 */
export async function logOutByProvider(
  db: RegistryDb,
  { service }: Pick<IdentityProvider, "service">,
  { jti, usableUntil, ...ended }: ProviderLogout,
): Promise<readonly string[]> {
  const token = { service, jti_hash: hashSecret(jti), expires_at: usableUntil };
  if (!(await useLogoutToken(db, token))) throw invalidRequest("logout_token: it was used before");
  return endProviderSessions(db, { ...ended, service });
}
