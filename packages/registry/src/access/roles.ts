import type { RepositoryRole, TeamRole } from "../store/tables/accounts.ts";
import { type HeldScopes, organizationCap, repositoryCap } from "./scopes.ts";

/** The roles on repositories, the lowest first. */
export const repositoryRoles: readonly RepositoryRole[] = ["read", "write", "admin"];
const teamRoles: readonly TeamRole[] = ["member", "creator", "admin"];

/** Whether a repository role includes another. */
export function includesRole(role: RepositoryRole | undefined, wanted: RepositoryRole): boolean {
  return role !== undefined && repositoryRoles.indexOf(role) >= repositoryRoles.indexOf(wanted);
}

/** Whether a role in an organization includes another. */
export function includesTeamRole(role: TeamRole | undefined, wanted: TeamRole): boolean {
  return role !== undefined && teamRoles.indexOf(role) >= teamRoles.indexOf(wanted);
}

/** The sources of a caller's role on a repository. */
export interface RepositoryMemberships {
  /** The repository is in the caller's own namespace. */
  readonly ownsNamespace: boolean;
  /** The roles of the caller's teams in the repository's organization. */
  readonly teamRoles: readonly TeamRole[];
  /** Granted to the caller or to a team of the caller. */
  readonly grants: readonly RepositoryRole[];
}

/**
 * The role of a caller on a repository: the highest of their roles, but not more than the scopes allow. Owners of the namespace and
 * members of its admin teams are admins.
 */
export function repositoryRole(memberships: RepositoryMemberships, held: HeldScopes): RepositoryRole | undefined {
  const isOwner = memberships.ownsNamespace || memberships.teamRoles.includes("admin");
  const has = isOwner ? "admin" : highest(repositoryRoles, memberships.grants);
  return lower(repositoryRoles, has, repositoryCap(held));
}

/** The role of a caller in an organization: the highest role of their teams, but not more than the scopes allow. */
export function organizationRole(roles: readonly TeamRole[], held: HeldScopes): TeamRole | undefined {
  return lower(teamRoles, highest(teamRoles, roles), organizationCap(held));
}

function highest<Role extends string>(order: readonly Role[], roles: readonly Role[]): Role | undefined {
  return order.findLast((role) => roles.includes(role));
}

function lower<Role extends string>(
  order: readonly Role[],
  first: Role | undefined,
  second: Role | undefined,
): Role | undefined {
  if (first === undefined || second === undefined) return undefined;
  return order.indexOf(first) < order.indexOf(second) ? first : second;
}
