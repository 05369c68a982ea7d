import type { GlobalRole } from "../../access/global-role.ts";
import type { UserPrincipal } from "../../access/principal.ts";
import { parseScopes, type Scope } from "../../access/scopes.ts";
import { invalidRequest, RegistryError } from "../../errors.ts";

/**
 * Parses the scopes that a caller requests for a new token, and checks that the caller may grant them. A caller with a token may
 * grant only the scopes of that token, and only superusers may grant `super:user`.
 * @throws RegistryError `invalid_request`, `insufficient_scope`
 */
export function grantableScopes(text: string, caller: UserPrincipal, globalRole: GlobalRole): ReadonlySet<Scope> {
  const requested = parseScopes(text);
  if (requested === undefined) throw invalidRequest(`Invalid scope: ${text.slice(0, 300)}`);
  const held = caller.via.kind === "oauth" ? caller.via.token.scopes : requested;
  const isHeld = [...requested].every((scope) => held.has(scope));
  const mayGrant = isHeld && (!requested.has("super:user") || globalRole.isSuperuser);
  if (!mayGrant)
    throw new RegistryError("insufficient_scope", "Unauthorized: a token can have only scopes that its creator has");
  return requested;
}
