import { seesSecrets } from "@plimsoll/registry/access/global-role";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { ListPageQuery } from "@plimsoll/registry/lists/list-pages";
import type { TeamRole } from "@plimsoll/registry/store/tables/accounts";
import { RepositoryRoles } from "../../../accounts/views/repository-roles.ts";
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
const ofOne = { tag, access: onOrganization("admin"), about: robotParams } as const;

/** What a caller may see: members without the role `admin` see names only, read-only superusers everything except tokens. */
function visibilityFor({ globalRole }: OperationContext, role: TeamRole | undefined) {
  const isAdmin = role === "admin";
  return {
    seesTokens: seesSecrets(globalRole, { isAdmin }),
    seesRoles: isAdmin || globalRole.hasFullAccess || globalRole.isReadonlySuperuser,
  };
}

const list = operation({
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

const get = operation({
  ...ofOne,
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

const create = operation({
  ...ofOne,
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

const remove = operation({
  ...ofOne,
  id: "deleteOrgRobot",
  version: get,
  audit: ["delete_robot"],
  method: "DELETE",
  path: "/organization/{orgname}/robots/{robot_shortname}",
  summary: "Delete a robot with all that it was granted.",
  success: 204,
  handle: async ({ subject: { organization }, params }, context) =>
    removeRobot(context, { owner: organization, params }),
});

const permissions = operation({
  ...ofOne,
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

const regenerate = operation({
  ...ofOne,
  id: "regenerateOrgRobotToken",
  version: get,
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
export const organizationRobotOperations = [list, get, create, remove, permissions, regenerate];
