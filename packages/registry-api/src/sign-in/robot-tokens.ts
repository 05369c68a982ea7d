import { jwtVerify, SignJWT } from "jose";
import type { RobotPrincipal } from "../access/principal.ts";
import { RegistryError } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { findRobotPrincipal } from "./token-holders.ts";

/** How long a robot token lives that is given for a token of a CI system, in seconds. */
export const robotTokenSeconds = 3600;

/** How far the clocks of two nodes may be apart, in seconds. */
const skewSeconds = 30;

/** No issuer of a federation: those are addresses. */
export const robotTokenIssuer = "plimsoll";

/** The `typ` of robot tokens: no other token that is signed with the same key is taken for one. */
const robotTokenType = "robot+jwt";

/** What robot tokens need. */
export interface RobotTokenContext {
  /** Signs tokens: `deriveKey(key, "registry tokens")`. */
  readonly key: Uint8Array;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A token that is a robot's password for an hour. It ends when the robot's other tokens are made to end. */
export async function signRobotToken({ account }: RobotPrincipal, { key, now }: RobotTokenContext): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ robot: account.id, credential_version: account.credential_version })
    .setProtectedHeader({ alg: "HS256", typ: robotTokenType })
    .setIssuer(robotTokenIssuer)
    .setSubject(account.username)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + robotTokenSeconds)
    .sign(key);
}

/** The robot of a name whose robot token this is. @throws RegistryError `invalid_token` */
export async function identifyByRobotToken(
  db: RegistryDb,
  { username, token }: { readonly username: string; readonly token: string },
  { key, now }: RobotTokenContext,
): Promise<RobotPrincipal> {
  const verified = await jwtVerify(token, key, {
    algorithms: ["HS256"],
    typ: robotTokenType,
    issuer: robotTokenIssuer,
    subject: username,
    currentDate: new Date(now),
    clockTolerance: skewSeconds,
    requiredClaims: ["exp"],
  }).catch(() => undefined); // whatever is wrong with it, it is no token
  const { robot: id, credential_version } = verified?.payload ?? {};
  const robot = typeof id === "string" ? await findRobotPrincipal(db, { id }, now) : undefined;
  if (robot === undefined || robot.account.credential_version !== credential_version) {
    const message = `The token of the robot ${username.slice(0, 300)} has ended: exchange another token of the CI system`;
    throw new RegistryError("invalid_token", message);
  }
  return { ...robot, federation: "robot token" };
}
