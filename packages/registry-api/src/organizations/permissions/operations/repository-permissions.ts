import { onRepository } from "@plimsoll/registry/access/on-repository";
import { ListPageQuery, nextPage } from "@plimsoll/registry/lists/list-pages";
import {
  deleteTeamRole,
  deleteUserRole,
  getTeamRole,
  getTransitiveRoles,
  getUserRole,
  listTeamRoles,
  listUserRoles,
  putTeamRole,
  putUserRole,
} from "@plimsoll/registry/organizations/permissions/repository-permissions";
import { Type } from "typebox";
import { RepositoryRoleView } from "../../../accounts/views.ts";
import { operation } from "../../../operation.ts";
import { TeamPermission, teamPermission, UserPermission, userPermission } from "../views.ts";

const tag = "permission";
const access = onRepository("admin");
const teamPath = "/repository/{repository}/permissions/team/{teamname}";

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
    const { rows, ...next } = await listTeamRoles(context, subject.repository, query);
    return { permissions: Object.fromEntries(rows.map((row) => [row.name, teamPermission(row)])), ...next };
  },
});

const getTeamPermissions = operation({
  id: "getTeamPermissions",
  versionMembers: ["role"],
  method: "GET",
  path: teamPath,
  summary: "The role of one team on the repository.",
  tag,
  access,
  success: 200,
  result: Type.Object({ role: RepositoryRoleView }),
  async handle({ subject, params }, { db }) {
    const { role } = await getTeamRole(db, subject.repository, params.teamname);
    return { role };
  },
});

const changeTeamPermissions = operation({
  id: "changeTeamPermissions",
  version: getTeamPermissions,
  audit: ["change_repo_permission"],
  method: "PUT",
  path: teamPath,
  summary: "Grant a team of the organization a role on the repository.",
  tag,
  access,
  body: Type.Object({ role: RepositoryRoleView }),
  success: 200,
  result: TeamPermission,
  async handle({ subject: { repository }, params: { teamname: teamName = "" }, body: { role } }, context) {
    return teamPermission(await putTeamRole(context, repository, { teamName, role }));
  },
});

const deleteTeamPermissions = operation({
  id: "deleteTeamPermissions",
  version: getTeamPermissions,
  audit: ["delete_repo_permission"],
  method: "DELETE",
  path: teamPath,
  summary: "Remove a team's role on the repository.",
  tag,
  access,
  success: 204,
  handle: ({ subject, params }, context) => deleteTeamRole(context, subject.repository, params.teamname),
});

/** Operations on the roles of teams on a repository. */
export const repositoryTeamPermissionOperations = [
  listRepoTeamPermissions,
  getTeamPermissions,
  changeTeamPermissions,
  deleteTeamPermissions,
];

const userPath = "/repository/{repository}/permissions/user/{username}";

const listRepoUserPermissions = operation({
  id: "listRepoUserPermissions",
  method: "GET",
  path: "/repository/{repository}/permissions/user/",
  summary: "The roles of users and robots on the repository.",
  tag,
  access,
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ permissions: Type.Record(Type.String(), UserPermission), ...nextPage }),
  async handle({ subject, query }, context) {
    const { rows, ...next } = await listUserRoles(context, subject.repository, query);
    return { permissions: Object.fromEntries(rows.map((row) => [row.username, userPermission(row)])), ...next };
  },
});

const getUserPermissions = operation({
  id: "getUserPermissions",
  versionMembers: ["role"],
  method: "GET",
  path: userPath,
  summary: "The role of one user or robot on the repository.",
  tag,
  access,
  success: 200,
  result: UserPermission,
  async handle({ subject, params }, { db }) {
    return userPermission(await getUserRole(db, subject.repository, params.username));
  },
});

const changeUserPermissions = operation({
  id: "changeUserPermissions",
  version: getUserPermissions,
  audit: ["change_repo_permission"],
  method: "PUT",
  path: userPath,
  summary: "Grant a user, or a robot of the namespace, a role on the repository.",
  tag,
  access,
  body: Type.Object({ role: RepositoryRoleView }),
  success: 200,
  result: UserPermission,
  async handle({ subject: { repository }, params: { username = "" }, body: { role } }, context) {
    return userPermission(await putUserRole(context, repository, { username, role }));
  },
});

const deleteUserPermissions = operation({
  id: "deleteUserPermissions",
  version: getUserPermissions,
  audit: ["delete_repo_permission"],
  method: "DELETE",
  path: userPath,
  summary: "Remove a user's or robot's role on the repository.",
  tag,
  access,
  success: 204,
  handle: ({ subject, params }, context) => deleteUserRole(context, subject.repository, params.username),
});

const getUserTransitivePermission = operation({
  id: "getUserTransitivePermission",
  method: "GET",
  path: "/repository/{repository}/permissions/user/{username}/transitive",
  summary: "The effective role of a user or robot on the repository, from grants and teams.",
  tag,
  access,
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ permissions: Type.Array(Type.Object({ role: RepositoryRoleView })), ...nextPage }),
  async handle({ subject, params: { username = "" }, query }, context) {
    const { rows, ...next } = await getTransitiveRoles(context, subject.repository, { username, query });
    return { permissions: rows.map(({ role }) => ({ role })), ...next };
  },
});

/** Operations on the roles of users and robots on a repository. */
export const repositoryUserPermissionOperations = [
  listRepoUserPermissions,
  getUserPermissions,
  changeUserPermissions,
  deleteUserPermissions,
  getUserTransitivePermission,
];
