import { compileOnce, type Parameter } from "@plimsoll/store";
import { sql } from "kysely";
import type { RepositoryRole, TeamRole } from "../../store/tables/accounts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { RepositoryMemberships } from "../roles.ts";

/** The roles of the teams of an organization that an account is in. */
export async function findTeamRoles(
  db: RegistryDb,
  organizationId: string,
  accountId: string,
): Promise<readonly TeamRole[]> {
  const rows = await listTeamRoles(db, { organizationId, accountId });
  return rows.map(({ role }) => role);
}

const listTeamRoles = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ organizationId: string; accountId: string }>) =>
    db
      .selectFrom("team")
      .innerJoin("team_member", "team_member.team_id", "team.id")
      .select("team.role")
      .where("team.organization_id", "=", parameter("organizationId"))
      .where("team_member.account_id", "=", parameter("accountId")),
);

/** The sources of an account's role on a repository. */
export async function findRepositoryMemberships(
  db: RegistryDb,
  repository: { readonly id: string; readonly namespaceId: string },
  accountId: string,
): Promise<RepositoryMemberships> {
  if (repository.namespaceId === accountId) return { ownsNamespace: true, teamRoles: [], grants: [] };
  const { id: repositoryId, namespaceId } = repository;
  const rows = await listMemberships(db, { repositoryId, namespaceId, accountId });
  const from = (source: string) => rows.filter((row) => row.source === source).map(({ role }) => role);
  return { ownsNamespace: false, teamRoles: from("team") as TeamRole[], grants: from("grant") as RepositoryRole[] };
}

interface MembershipParameters {
  readonly repositoryId: string;
  readonly namespaceId: string;
  readonly accountId: string;
}

const listMemberships = compileOnce((_: RegistryDb, parameter: Parameter<MembershipParameters>) => {
  const account = parameter("accountId");
  const repository = parameter("repositoryId");
  return sql<{ source: "grant" | "team"; role: string }>`
    select 'grant' as source, role from account_permission
      where repository_id = ${repository} and account_id = ${account}
    union all
    select 'grant', team_permission.role from team_permission
      join team_member on team_member.team_id = team_permission.team_id and team_member.account_id = ${account}
      where team_permission.repository_id = ${repository}
    union all
    select 'team', team.role from team
      join team_member on team_member.team_id = team.id and team_member.account_id = ${account}
      where team.organization_id = ${parameter("namespaceId")}`;
});
