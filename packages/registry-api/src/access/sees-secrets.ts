import type { Standing } from "./standing.ts";

/**
 * Whether a caller is shown the secrets of what they see: those who administer it, but never read-only superusers.
 * @param isAdmin whether the caller administers it, or what it belongs to
 */
export function seesSecrets({ hasFullAccess, isReadonlySuperuser }: Standing, isAdmin: boolean): boolean {
  return (isAdmin || hasFullAccess) && !isReadonlySuperuser;
}
