import { findAccount } from "../../access/queries.ts";
import { invalidRequest } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** The id of the robot of a namespace that pushes what a mirror copies. @throws RegistryError `invalid_request` for any other name */
export async function getPushingRobotId(db: RegistryDb, namespace: string, username: string): Promise<string> {
  const robot = await findAccount(db, username, "robot");
  if (robot !== undefined && username.startsWith(`${namespace}+`)) return robot.id;
  throw invalidRequest(`Invalid robot: ${namespace} has no robot ${JSON.stringify(username)}`);
}
