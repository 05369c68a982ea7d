import {
  createOrgRobot,
  createUserRobot,
  deleteOrgRobot,
  deleteUserRobot,
  getOrgRobots,
  getUserRobots,
  regenerateOrgRobotToken,
  regenerateUserRobotToken,
} from "../api/generated/robot.ts";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";

/** A robot in a list. */
export type Robot = ResultOf<typeof getUserRobots>["robots"][number];

/** A robot's name with its token, which is shown once. */
export interface RobotSecret {
  readonly name: string;
  readonly token?: string;
}

/** The owner of robots: the visitor or an organization. */
export interface RobotOwner {
  readonly namespace: string;
  readonly isOrganization: boolean;
}

const query = { token: false, permissions: false };

/** Queries the robots of an owner. */
export function useRobots({ namespace, isOrganization }: RobotOwner) {
  const own = useOperation(getUserRobots, { query }, { enabled: !isOrganization });
  const ofOrganization = useOperation(
    getOrgRobots,
    { params: { orgname: namespace }, query },
    { enabled: isOrganization },
  );
  return isOrganization ? ofOrganization : own;
}

/** Changes of robots. A robot is named without the prefix of its owner. */
export function useRobotChanges({ namespace: orgname, isOrganization }: RobotOwner) {
  const lists = [getUserRobots, getOrgRobots];
  const created = useChange(isOrganization ? createOrgRobot : createUserRobot, lists);
  const renewed = useChange(isOrganization ? regenerateOrgRobotToken : regenerateUserRobotToken, lists);
  const deleted = useChange(isOrganization ? deleteOrgRobot : deleteUserRobot, lists);
  const paramsOf = (name: string) => ({ orgname, robot_shortname: name }); // the operations of a user ignore `orgname`
  return { created, renewed, deleted, paramsOf };
}
