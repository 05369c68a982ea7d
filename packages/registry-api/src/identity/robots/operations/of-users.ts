import { onSelf } from "@plimsoll/registry/access/on-account";
import { ListPageQuery } from "@plimsoll/registry/lists/list-pages";
import { RepositoryRoles } from "../../../accounts/views/repository-roles.ts";
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

const ofCaller = { tag: "robot", access: onSelf("user:admin") } as const;
const ofOne = { ...ofCaller, about: robotParams };

const list = operation({
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

const get = operation({
  ...ofOne,
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

const create = operation({
  ...ofOne,
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

const remove = operation({
  ...ofOne,
  id: "deleteUserRobot",
  version: get,
  audit: ["delete_robot"],
  method: "DELETE",
  path: "/user/robots/{robot_shortname}",
  summary: "Delete a robot with all that it was granted.",
  success: 204,
  handle: async ({ subject: { account }, params }, context) => removeRobot(context, { owner: account, params }),
});

const permissions = operation({
  ...ofOne,
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

const regenerate = operation({
  ...ofOne,
  id: "regenerateUserRobotToken",
  version: get,
  audit: ["regenerate_robot_token"],
  method: "POST",
  path: "/user/robots/{robot_shortname}/regenerate",
  summary: "Give a robot a new token.",
  success: 201,
  result: Robot,
  handle: async ({ subject: { account }, params }, context) => renewRobotToken(context, { owner: account, params }),
});

/** Robots of users. */
export const userRobotOperations = [list, get, create, remove, permissions, regenerate];
