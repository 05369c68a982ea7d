import type { AccountRow } from "../../access/queries.ts";
import { createAccount } from "../../accounts/new-account.ts";
import type { CallContext } from "../../context.ts";
import { hashSecret, randomSecret, type Sealer } from "../../crypto/secrets.ts";
import { invalidRequest } from "../../errors.ts";
import type { RegistrySettings } from "../../settings.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { isNamespaceName } from "../../values/names.ts";
import { findRobot, insertRobot, isMirrorRobot, type RobotRow, removeRobot, replaceToken } from "./queries.ts";

/** A robot to create. */
export interface NewRobot {
  readonly owner: AccountRow;
  readonly shortName: string;
  readonly description: string;
  readonly metadata: object;
}

/**
 * Creates a robot of a namespace; an existing one is never replaced.
 * @throws RegistryError `invalid_request`, also if robots are off
 */
export async function createRobot(context: CallContext, wanted: NewRobot): Promise<RobotRow> {
  const { db, settings, secrets, now } = context;
  const { owner, shortName, description, metadata } = wanted;
  if (!isNamespaceName(shortName)) {
    throw invalidRequest(
      `The name for the robot '${shortName.slice(0, 300)}' is invalid: expected 2 to 255 lower-case letters and digits, joined by single . _ or -`,
    );
  }
  const username = `${owner.username}+${shortName}`;
  if (!isAllowedRobot(settings, username)) throw invalidRequest(robotsAreOff);
  const account = await createAccount(db, settings, { kind: "robot", username, now });
  const row = {
    owner_id: owner.id,
    short_name: shortName,
    description,
    metadata: JSON.stringify(metadata),
    ...newToken(secrets),
  };
  await insertRobot(db, { account_id: account.id, ...row });
  return { ...row, id: account.id, username, created_at: now, last_accessed_at: null };
}

/** The robot of a namespace. @throws RegistryError `invalid_request` when there is none of that name */
export async function getRobot(db: RegistryDb, owner: AccountRow, shortName: string): Promise<RobotRow> {
  const robot = await findRobot(db, owner.id, shortName);
  if (robot === undefined) throw invalidRequest("Could not find robot with specified username");
  return robot;
}

/** Replaces the token of a robot; registry tokens that were made with the old one are no longer valid. */
export async function regenerateRobot(db: RegistryDb, robot: RobotRow, secrets: Sealer): Promise<RobotRow> {
  const token = newToken(secrets);
  await replaceToken(db, robot.id, token);
  return { ...robot, ...token };
}

/** Deletes a robot and all roles that it was granted. @throws RegistryError `invalid_request` while a mirror uses it */
export async function deleteRobot(db: RegistryDb, robot: RobotRow): Promise<void> {
  if (await isMirrorRobot(db, robot.id)) throw invalidRequest("Robot is being used by a mirror");
  await removeRobot(db, robot.id);
}

function newToken(secrets: Sealer) {
  const token = randomSecret(64);
  return { token_sealed: secrets.seal(token), token_hash: hashSecret(token) };
}

/** The settings that allow robots. */
export type RobotSettings = Pick<RegistrySettings, "allowedRobots"> & {
  readonly features: Pick<RegistrySettings["features"], "robots">;
};

/** The message for requests that would create or use a robot while robots are off. */
export const robotsAreOff = "Robots are switched off in this registry; ask its operator";

/** Whether the settings allow a robot, by its name `namespace+short`, to be created, push and pull. */
export function isAllowedRobot({ features, allowedRobots }: RobotSettings, username: string): boolean {
  return features.robots || allowedRobots.includes(username);
}
