import type { GlobalRole } from "../access/global-role.ts";
import type { UserPrincipal } from "../access/principal.ts";
import { parseScopes, type Scope } from "../access/scopes.ts";
import { invalidRequest, RegistryError } from "../errors.ts";

/**
 * The scopes that a caller asks for in a new token. The caller must hold them: a caller with a token those of that token, and only
 * a superuser `super:user`.
 * @throws RegistryError `invalid_request`, `insufficient_scope`
 */
export function grantableScopes(text: string, caller: UserPrincipal, globalRole: GlobalRole): ReadonlySet<Scope> {
  const asked = parseScopes(text);
  if (asked === undefined) throw invalidRequest(`Invalid scope: ${text.slice(0, 300)}`);
  const held = caller.via.kind === "oauth" ? caller.via.token.scopes : asked;
  const isHeld = [...asked].every((scope) => held.has(scope));
  const mayGrant = isHeld && (!asked.has("super:user") || globalRole.isSuperuser);
  if (!mayGrant)
    throw new RegistryError("insufficient_scope", "Unauthorized: a token can have only scopes that its creator has");
  return asked;
}
