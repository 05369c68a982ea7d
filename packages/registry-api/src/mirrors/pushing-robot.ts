import { findAccount } from "../access/queries/accounts.ts";
import { invalidRequest } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** The id of a namespace's own robot, which pushes what a mirror copies. */
export async function findPushingRobot(db: RegistryDb, namespace: string, username: string): Promise<string> {
  const robot = await findAccount(db, username, "robot");
  if (robot !== undefined && username.startsWith(`${namespace}+`)) return robot.id;
  throw invalidRequest(`Invalid robot: ${namespace} has no robot ${JSON.stringify(username)}`);
}
