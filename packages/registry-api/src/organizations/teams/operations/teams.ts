import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { onTeam } from "@plimsoll/registry/access/on-team";
import { byId, ListPageQuery, readListPage } from "@plimsoll/registry/lists/list-pages";
import { listRolesOfTeam } from "@plimsoll/registry/organizations/teams/queries/teams";
import { deleteTeam, putTeam } from "@plimsoll/registry/organizations/teams/teams";
import { Type } from "typebox";
import { RepositoryRoles, repositoryRolesView } from "../../../accounts/views/repository-roles.ts";
import { operation } from "../../../operation.ts";
import { Team, TeamRoleView, teamView } from "../views.ts";

const tag = "team";

const get = operation({
  id: "getOrganizationTeam",
  versionMembers: ["description", "role"],
  isOwn: true,
  method: "GET",
  path: "/organization/{orgname}/team/{teamname}",
  summary: "A team.",
  tag,
  internal: true,
  access: onTeam(),
  success: 200,
  result: Team,
  handle: async ({ subject: { team } }) => teamView(team, { isNew: false }),
});

const put = operation({
  id: "updateOrganizationTeam",
  version: get,
  keeps: "teams",
  audit: ["org_set_team_role", "org_create_team", "org_set_team_description"],
  method: "PUT",
  path: "/organization/{orgname}/team/{teamname}",
  summary: "Make a team, or change its role and its description.",
  tag,
  internal: true,
  access: onOrganization("admin"),
  body: Type.Object({
    role: TeamRoleView,
    description: Type.Optional(Type.String({ maxLength: 10_000, description: "Markdown; stays where absent" })),
  }),
  success: 200,
  result: Team,
  async handle({ subject: { organization }, params, body }, context) {
    const { team, isNew } = await putTeam(context, { organization, name: params.teamname, ...body });
    return teamView(team, { isNew });
  },
});

const remove = operation({
  id: "deleteOrganizationTeam",
  version: get,
  audit: ["org_delete_team"],
  method: "DELETE",
  path: "/organization/{orgname}/team/{teamname}",
  summary: "Delete a team with its permissions.",
  tag,
  internal: true,
  access: onOrganization("admin"),
  success: 204,
  handle: async ({ subject, params }, context) => deleteTeam(context, subject.organization, params.teamname),
});

const permissions = operation({
  id: "getOrganizationTeamPermissions",
  method: "GET",
  path: "/organization/{orgname}/team/{teamname}/permissions",
  summary: "The roles of a team on repositories.",
  tag,
  access: onTeam({ scope: undefined }),
  query: ListPageQuery,
  success: 200,
  result: RepositoryRoles,
  async handle({ subject: { team }, query }, context) {
    const list = { list: "team permissions", ownerId: team.id, query, ...byId } as const;
    return repositoryRolesView(await readListPage(context, list, (from) => listRolesOfTeam(context.db, team.id, from)));
  },
});

/** Operations on teams. */
export const teamOperations = [get, put, remove, permissions];
