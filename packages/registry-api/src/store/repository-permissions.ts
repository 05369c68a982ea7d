import type { AccountRow } from "./accounts.ts";
import type { RepositoryRole } from "./tables/accounts.ts";
import type { RegistryDb } from "./tables/all.ts";

/** A role of a user or robot on a repository. */
export interface AccountGrant extends Pick<AccountRow, "id" | "kind" | "username" | "email"> {
  readonly role: RepositoryRole;
}

/** A role of a team on a repository. */
export interface TeamGrant {
  readonly id: string;
  readonly name: string;
  readonly role: RepositoryRole;
}

/** The roles granted to users and robots on a repository, by name; of one of them where a name is given. */
export async function listAccountGrants(
  db: RegistryDb,
  repositoryId: string,
  username?: string,
): Promise<readonly AccountGrant[]> {
  return db
    .selectFrom("account_permission")
    .innerJoin("account", "account.id", "account_permission.account_id")
    .select(["account.id", "account.kind", "account.username", "account.email", "account_permission.role"])
    .where("account_permission.repository_id", "=", repositoryId)
    .$if(username !== undefined, (grants) => grants.where("account.username", "=", username ?? ""))
    .orderBy("account.username")
    .execute();
}

/** The roles granted to teams on a repository, by name; of one of them where a name is given. */
export async function listTeamGrants(
  db: RegistryDb,
  repositoryId: string,
  teamName?: string,
): Promise<readonly TeamGrant[]> {
  return db
    .selectFrom("team_permission")
    .innerJoin("team", "team.id", "team_permission.team_id")
    .select(["team.id", "team.name", "team_permission.role"])
    .where("team_permission.repository_id", "=", repositoryId)
    .$if(teamName !== undefined, (grants) => grants.where("team.name", "=", teamName ?? ""))
    .orderBy("team.name")
    .execute();
}

/** Every role that a user or robot has on a repository: granted to them, and to teams they are in. */
export async function listTransitiveRoles(
  db: RegistryDb,
  repositoryId: string,
  accountId: string,
): Promise<readonly RepositoryRole[]> {
  const direct = db
    .selectFrom("account_permission")
    .select("role")
    .where("repository_id", "=", repositoryId)
    .where("account_id", "=", accountId);
  const viaTeams = db
    .selectFrom("team_permission")
    .innerJoin("team_member", "team_member.team_id", "team_permission.team_id")
    .select("team_permission.role")
    .where("team_permission.repository_id", "=", repositoryId)
    .where("team_member.account_id", "=", accountId);
  const rows = await direct.unionAll(viaTeams).execute();
  return rows.map(({ role }) => role);
}
