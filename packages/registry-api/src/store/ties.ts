import { sql } from "kysely";
import type { RepositoryTies } from "../access/roles.ts";
import type { RepositoryRole, TeamRole } from "./tables/accounts.ts";
import type { RegistryDb } from "./tables/all.ts";

/** The roles of the teams of an organization that an account is in. */
export async function findTeamRoles(
  db: RegistryDb,
  organizationId: string,
  accountId: string,
): Promise<readonly TeamRole[]> {
  const rows = await db
    .selectFrom("team")
    .innerJoin("team_member", "team_member.team_id", "team.id")
    .select("team.role")
    .where("team.organization_id", "=", organizationId)
    .where("team_member.account_id", "=", accountId)
    .execute();
  return rows.map(({ role }) => role);
}

/** What connects an account with a repository. */
export async function findRepositoryTies(
  db: RegistryDb,
  repository: { readonly id: string; readonly namespaceId: string },
  accountId: string,
): Promise<RepositoryTies> {
  if (repository.namespaceId === accountId) return { ownsNamespace: true, teamRoles: [], grants: [] };
  const { rows } = await sql<{ source: "grant" | "team"; role: string }>`
    select 'grant' as source, role from account_permission
      where repository_id = ${repository.id} and account_id = ${accountId}
    union all
    select 'grant', team_permission.role from team_permission
      join team_member on team_member.team_id = team_permission.team_id and team_member.account_id = ${accountId}
      where team_permission.repository_id = ${repository.id}
    union all
    select 'team', team.role from team
      join team_member on team_member.team_id = team.id and team_member.account_id = ${accountId}
      where team.organization_id = ${repository.namespaceId}`.execute(db);
  const from = (source: string) => rows.filter((row) => row.source === source).map(({ role }) => role);
  return { ownsNamespace: false, teamRoles: from("team") as TeamRole[], grants: from("grant") as RepositoryRole[] };
}
