import { onRepository } from "@plimsoll/registry/access/on-repository";
import { ListPageQuery, nextPage } from "@plimsoll/registry/lists/list-pages";
import { Type } from "typebox";
import { RepositoryRoleView } from "../../../accounts/views/repository-roles.ts";
import { operation } from "../../../operation.ts";
import {
  deleteTeamPermission,
  getTeamPermission,
  putTeamPermission,
  showTeamPermissions,
} from "../repository-permissions.ts";
import { TeamPermission } from "../views/repository-permission.ts";

const tag = "permission";
const access = onRepository("admin");
const path = "/repository/{repository}/permissions/team/{teamname}";

const listRepoTeamPermissions = operation({
  id: "listRepoTeamPermissions",
  method: "GET",
  path: "/repository/{repository}/permissions/team/",
  summary: "The roles of teams on the repository.",
  tag,
  access,
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ permissions: Type.Record(Type.String(), TeamPermission), ...nextPage }),
  async handle({ subject, query }, context) {
    const { rows, ...next } = await showTeamPermissions(context, subject.repository, query);
    return { permissions: Object.fromEntries(rows.map((permission) => [permission.name, permission])), ...next };
  },
});

const getTeamPermissions = operation({
  id: "getTeamPermissions",
  versionMembers: ["role"],
  method: "GET",
  path,
  summary: "The role of one team on the repository.",
  tag,
  access,
  success: 200,
  result: Type.Object({ role: RepositoryRoleView }),
  async handle({ subject, params }, { db }) {
    const { role } = await getTeamPermission(db, subject.repository, params.teamname);
    return { role };
  },
});

const changeTeamPermissions = operation({
  id: "changeTeamPermissions",
  version: getTeamPermissions,
  audit: ["change_repo_permission"],
  method: "PUT",
  path,
  summary: "Grant a team of the organization a role on the repository.",
  tag,
  access,
  body: Type.Object({ role: RepositoryRoleView }),
  success: 200,
  result: TeamPermission,
  async handle({ subject: { repository }, params: { teamname: teamName = "" }, body: { role } }, { db, log }) {
    const permission = await putTeamPermission(db, repository, { teamName, role });
    await log("change_repo_permission", { team: teamName, repo: repository.name, role });
    return permission;
  },
});

const deleteTeamPermissions = operation({
  id: "deleteTeamPermissions",
  version: getTeamPermissions,
  audit: ["delete_repo_permission"],
  method: "DELETE",
  path,
  summary: "Remove a team's role on the repository.",
  tag,
  access,
  success: 204,
  async handle({ subject: { repository }, params: { teamname: teamName = "" } }, { db, log }) {
    await deleteTeamPermission(db, repository, teamName);
    await log("delete_repo_permission", { team: teamName, repo: repository.name });
  },
});

/** Operations on the roles of teams on a repository. */
export const repositoryTeamPermissionOperations = [
  listRepoTeamPermissions,
  getTeamPermissions,
  changeTeamPermissions,
  deleteTeamPermissions,
];
