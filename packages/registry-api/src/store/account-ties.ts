import type { RepositoryRole } from "./tables/accounts.ts";
import type { RegistryDb } from "./tables/all.ts";
import type { Visibility } from "./tables/content.ts";

/** A role of an account on a repository. */
export interface RoleOfAccount {
  readonly account_id: string;
  readonly repository: string;
  readonly visibility: Visibility;
  readonly role: RepositoryRole;
}

/** Of whom something is asked: some accounts, or every user. */
export type OfAccounts = readonly string[] | "users";

/** The roles on repositories of a namespace that accounts have themselves, not by their teams. */
export async function listRolesOf(
  db: RegistryDb,
  namespaceId: string,
  accounts: OfAccounts,
): Promise<readonly RoleOfAccount[]> {
  const grants = db
    .selectFrom("account_permission")
    .innerJoin("image_repository", "image_repository.id", "account_permission.repository_id")
    .select(["account_permission.account_id", "account_permission.role"])
    .select(["image_repository.name as repository", "image_repository.visibility"])
    .where("image_repository.namespace_id", "=", namespaceId)
    .where("image_repository.state", "!=", "deleted")
    .orderBy("image_repository.name");
  if (accounts !== "users") return accounts.length === 0 ? [] : grants.where(accountId, "in", accounts).execute();
  return grants.innerJoin("account", "account.id", accountId).where("account.kind", "=", "user").execute();
}

const accountId = "account_permission.account_id";

/** That an account is in a team. */
export interface TeamOfAccount {
  readonly account_id: string;
  readonly team_id: string;
  readonly name: string;
}

/** Which teams of an organization accounts are in. */
export async function listTeamsOf(
  db: RegistryDb,
  organizationId: string,
  accounts: OfAccounts,
): Promise<readonly TeamOfAccount[]> {
  const teams = db
    .selectFrom("team_member")
    .innerJoin("team", "team.id", "team_member.team_id")
    .select(["team_member.account_id", "team_member.team_id", "team.name"])
    .where("team.organization_id", "=", organizationId)
    .orderBy("team.name");
  if (accounts !== "users") {
    return accounts.length === 0 ? [] : teams.where("team_member.account_id", "in", accounts).execute();
  }
  return teams
    .innerJoin("account", "account.id", "team_member.account_id")
    .where("account.kind", "=", "user")
    .execute();
}
