import { ifWritable } from "@plimsoll/store";
import type { RobotPrincipal } from "../../access/principal.ts";
import { RegistryError } from "../../errors.ts";
import type { FederatedTokens } from "../../ports/identities.ts";
import { baseUrl, type RegistrySettings } from "../../settings.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { Federation } from "../robots/federation.ts";
import { findFederatedRobot } from "./queries/token-holders.ts";
import { findRobotPrincipal } from "./token-holders.ts";

/** What {@link identifyFederatedRobot} needs. */
export interface FederationContext {
  readonly db: RegistryDb;
  readonly settings: RegistrySettings;
  readonly tokens: FederatedTokens | undefined;
  readonly now: number;
  /** The IP address of the client. */
  readonly address: string;
}

/**
 * Identifies a robot by a token of a CI system. Requests are sent only to issuers in the robot's federations.
 * @throws RegistryError `invalid_token`
 */
export async function identifyFederatedRobot(
  context: FederationContext,
  username: string,
  { token, issuer, subject }: Federation & { readonly token: string },
): Promise<RobotPrincipal> {
  const { db, settings, tokens, now, address: ip } = context;
  const id = tokens && (await findFederatedRobot(db, { username, issuer, subject }));
  const robot = id && (await findRobotPrincipal(db, { id }, now));
  if (!tokens || !robot) {
    const shown = `issuer ${issuer.slice(0, 300)} and subject ${subject.slice(0, 300)}`;
    throw new RegistryError("invalid_token", `The robot ${username.slice(0, 300)} has no federation with ${shown}`);
  }
  const audiences = [settings.host, baseUrl(settings)];
  await tokens.verify(token, { issuer, subject, audiences, now });
  const principal = { ...robot, federation: "CI token" } as const;
  const metadata = { robot: username, issuer, subject };
  const entry = {
    kind: "federated_robot_token_exchange",
    metadata,
    namespaceId: robot.ownerId,
    principal,
    ip,
    at: now,
  } as const;
  await ifWritable(() => writeUsageLog(db, entry));
  return principal;
}
