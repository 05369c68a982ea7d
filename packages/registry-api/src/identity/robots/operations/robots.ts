import { seesSecrets } from "@plimsoll/registry/access/global-role";
import { onSelf } from "@plimsoll/registry/access/on-account";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { ListPageQuery } from "@plimsoll/registry/lists/list-pages";
import type { TeamRole } from "@plimsoll/registry/store/tables/accounts";
import { RepositoryRoles } from "../../../accounts/views.ts";
import type { OperationContext } from "../../../context.ts";
import { operation } from "../../../operation.ts";
import { Robot, RobotList } from "../views.ts";
import {
  NewRobot,
  putRobot,
  RobotQuery,
  removeRobot,
  renewRobotToken,
  robotParams,
  showRobot,
  showRobotPermissions,
  showRobots,
} from "./handlers.ts";

const tag = "robot";
const ofOneOrganization = { tag, access: onOrganization("admin"), about: robotParams } as const;

/** What a caller may see: members without the role `admin` see names only, read-only superusers everything except tokens. */
function visibilityFor({ globalRole }: OperationContext, role: TeamRole | undefined) {
  const isAdmin = role === "admin";
  return {
    seesTokens: seesSecrets(globalRole, { isAdmin }),
    seesRoles: isAdmin || globalRole.hasFullAccess || globalRole.isReadonlySuperuser,
  };
}

const listRobotsOfOrganization = operation({
  tag,
  access: onOrganization("member"),
  id: "getOrgRobots",
  method: "GET",
  path: "/organization/{orgname}/robots",
  summary: "The organization's robots; their tokens, teams and repositories only for its admins.",
  query: RobotQuery,
  success: 200,
  result: RobotList,
  handle: async ({ subject: { organization, role }, query }, context) =>
    showRobots(context, { owner: organization, ...visibilityFor(context, role) }, query),
});

const getRobotOfOrganization = operation({
  ...ofOneOrganization,
  id: "getOrgRobot",
  versionMembers: ["description", "unstructured_metadata"],
  method: "GET",
  path: "/organization/{orgname}/robots/{robot_shortname}",
  summary: "A robot of the organization, with its token.",
  success: 200,
  result: Robot,
  handle: async ({ subject: { organization, role }, params }, context) =>
    showRobot(context, { owner: organization, params, ...visibilityFor(context, role) }),
});

const createRobotOfOrganization = operation({
  ...ofOneOrganization,
  id: "createOrgRobot",
  keeps: "robots",
  audit: ["create_robot"],
  method: "PUT",
  path: "/organization/{orgname}/robots/{robot_shortname}",
  summary: "Make a robot; there must be none of that name.",
  body: NewRobot,
  success: 200,
  result: Robot,
  handle: async ({ subject: { organization }, params, body }, context) =>
    putRobot(context, { owner: organization, params }, body),
});

const removeRobotOfOrganization = operation({
  ...ofOneOrganization,
  id: "deleteOrgRobot",
  version: getRobotOfOrganization,
  audit: ["delete_robot"],
  method: "DELETE",
  path: "/organization/{orgname}/robots/{robot_shortname}",
  summary: "Delete a robot with all that it was granted.",
  success: 204,
  handle: async ({ subject: { organization }, params }, context) =>
    removeRobot(context, { owner: organization, params }),
});

const permissionsOfOrganization = operation({
  ...ofOneOrganization,
  access: onOrganization("admin", { scope: "user:admin" }),
  id: "getOrgRobotPermissions",
  method: "GET",
  path: "/organization/{orgname}/robots/{robot_shortname}/permissions",
  summary: "The roles that a robot has itself.",
  query: ListPageQuery,
  success: 200,
  result: RepositoryRoles,
  handle: async ({ subject: { organization }, params, query }, context) =>
    showRobotPermissions(context, { owner: organization, params }, query),
});

const regenerateOfOrganization = operation({
  ...ofOneOrganization,
  id: "regenerateOrgRobotToken",
  version: getRobotOfOrganization,
  audit: ["regenerate_robot_token"],
  method: "POST",
  path: "/organization/{orgname}/robots/{robot_shortname}/regenerate",
  summary: "Give a robot a new token.",
  success: 201,
  result: Robot,
  handle: async ({ subject: { organization }, params }, context) =>
    renewRobotToken(context, { owner: organization, params }),
});

/** Robots of organizations. */
export const organizationRobotOperations = [
  listRobotsOfOrganization,
  getRobotOfOrganization,
  createRobotOfOrganization,
  removeRobotOfOrganization,
  permissionsOfOrganization,
  regenerateOfOrganization,
];

const ofCaller = { tag: "robot", access: onSelf("user:admin") } as const;
const ofOneUser = { ...ofCaller, about: robotParams };

const listRobotsOfUser = operation({
  ...ofCaller,
  id: "getUserRobots",
  method: "GET",
  path: "/user/robots",
  summary: "The caller's robots.",
  query: RobotQuery,
  success: 200,
  result: RobotList,
  handle: async ({ subject: { account }, query }, context) =>
    showRobots(context, { owner: account, seesTokens: true, seesRoles: true }, query),
});

const getRobotOfUser = operation({
  ...ofOneUser,
  id: "getUserRobot",
  versionMembers: ["description", "unstructured_metadata"],
  method: "GET",
  path: "/user/robots/{robot_shortname}",
  summary: "A robot of the caller, with its token.",
  success: 200,
  result: Robot,
  handle: async ({ subject: { account }, params }, context) =>
    showRobot(context, { owner: account, params, seesTokens: true }),
});

const createRobotOfUser = operation({
  ...ofOneUser,
  id: "createUserRobot",
  keeps: "robots",
  audit: ["create_robot"],
  method: "PUT",
  path: "/user/robots/{robot_shortname}",
  summary: "Make a robot; there must be none of that name.",
  body: NewRobot,
  success: 200,
  result: Robot,
  handle: async ({ subject: { account }, params, body }, context) =>
    putRobot(context, { owner: account, params }, body),
});

const removeRobotOfUser = operation({
  ...ofOneUser,
  id: "deleteUserRobot",
  version: getRobotOfUser,
  audit: ["delete_robot"],
  method: "DELETE",
  path: "/user/robots/{robot_shortname}",
  summary: "Delete a robot with all that it was granted.",
  success: 204,
  handle: async ({ subject: { account }, params }, context) => removeRobot(context, { owner: account, params }),
});

const permissionsOfUser = operation({
  ...ofOneUser,
  id: "getUserRobotPermissions",
  method: "GET",
  path: "/user/robots/{robot_shortname}/permissions",
  summary: "The roles that a robot has itself.",
  query: ListPageQuery,
  success: 200,
  result: RepositoryRoles,
  handle: async ({ subject: { account }, params, query }, context) =>
    showRobotPermissions(context, { owner: account, params }, query),
});

const regenerateOfUser = operation({
  ...ofOneUser,
  id: "regenerateUserRobotToken",
  version: getRobotOfUser,
  audit: ["regenerate_robot_token"],
  method: "POST",
  path: "/user/robots/{robot_shortname}/regenerate",
  summary: "Give a robot a new token.",
  success: 201,
  result: Robot,
  handle: async ({ subject: { account }, params }, context) => renewRobotToken(context, { owner: account, params }),
});

/** Robots of users. */
export const userRobotOperations = [
  listRobotsOfUser,
  getRobotOfUser,
  createRobotOfUser,
  removeRobotOfUser,
  permissionsOfUser,
  regenerateOfUser,
];
