import type { GlobalRole } from "../access/global-role.ts";
import type { UserPrincipal } from "../access/principal.ts";
import { parseScopes, type Scope } from "../access/scopes.ts";
import { invalidRequest, RegistryError } from "../errors.ts";

/**
 * The scopes that somebody asks a token for, if they hold them themselves: with a token only its own, and `super:user` only as
 * a superuser.
 * @throws RegistryError `invalid_request`, `insufficient_scope`
 */
export function grantableScopes(text: string, caller: UserPrincipal, globalRole: GlobalRole): ReadonlySet<Scope> {
  const asked = parseScopes(text);
  if (asked === undefined) throw invalidRequest(`Invalid scope: ${text.slice(0, 300)}`);
  const held = caller.via.kind === "oauth" ? caller.via.token.scopes : asked;
  const isHeld = [...asked].every((scope) => held.has(scope));
  const mayGrant = isHeld && (!asked.has("super:user") || globalRole.isSuperuser);
  if (!mayGrant)
    throw new RegistryError("insufficient_scope", "Unauthorized: a token holds what its maker holds at most");
  return asked;
}
