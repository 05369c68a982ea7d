import type { RegistrySettings } from "../settings.ts";
import { type Account, heldScopes, type Principal } from "./principal.ts";
import { holdsScope, repositoryCap } from "./scopes.ts";

/** The role of a caller in the registry as a whole. */
export interface GlobalRole {
  readonly isSuperuser: boolean;
  /** A superuser who may do everything everywhere. */
  readonly hasFullAccess: boolean;
  /** May see everything and change nothing. */
  readonly isReadonlySuperuser: boolean;
}

/** The columns of an account that decide whether it is a superuser's. */
export type SuperuserAccount = Pick<Account, "username" | "outside_role">;

/**
 * Whether an account is a superuser's who may change things: by the settings, by the service that the user signs in with, or, as long as the
 * settings name no superuser, because the registry was initialized with it.
 */
export function isSuperuserAccount(settings: RegistrySettings, { username, outside_role }: SuperuserAccount): boolean {
  if (isSuperuserName(settings, username)) return true;
  const isFirst = outside_role === "first" && settings.superusers.length === 0;
  return (
    settings.features.superusers && (outside_role === "superuser" || isFirst) && !isReadonlyName(settings, username)
  );
}

/** Whether the settings name an account as a superuser who may change things. */
export function isSuperuserName(settings: RegistrySettings, username: string): boolean {
  return settings.features.superusers && settings.superusers.includes(username) && !isReadonlyName(settings, username);
}

/** Whether the settings name an account as a read-only superuser. */
export function isReadonlyName(settings: RegistrySettings, username: string): boolean {
  return settings.features.superusers && settings.globalReadonlySuperusers.includes(username);
}

/** The role that a caller has in the whole registry. A token makes a superuser only with the scope `super:user`. */
export function globalRoleOf(principal: Principal, settings: RegistrySettings): GlobalRole {
  if (principal.kind !== "user") return none;
  const { username } = principal.account;
  const isSuperuser =
    isSuperuserAccount(settings, principal.account) && holdsScope(heldScopes(principal), "super:user");
  return {
    isSuperuser,
    hasFullAccess: isSuperuser && settings.features.superuserFullAccess,
    isReadonlySuperuser: isReadonlyName(settings, username),
  };
}

/** Whether a superuser sees every repository. A token lets them only if it has a scope for repositories. */
export function seesEveryRepository(principal: Principal, globalRole: GlobalRole): boolean {
  const seesAll = globalRole.hasFullAccess || globalRole.isReadonlySuperuser;
  return seesAll && repositoryCap(heldScopes(principal)) !== undefined;
}

const none: GlobalRole = { isSuperuser: false, hasFullAccess: false, isReadonlySuperuser: false };

/**
 * Whether a caller is shown the secrets of a resource: callers who administer it are, but never read-only superusers.
 * @param isAdmin whether the caller administers the resource, or its owner
 */
export function seesSecrets(
  { hasFullAccess, isReadonlySuperuser }: GlobalRole,
  { isAdmin }: { readonly isAdmin: boolean },
): boolean {
  return (isAdmin || hasFullAccess) && !isReadonlySuperuser;
}
