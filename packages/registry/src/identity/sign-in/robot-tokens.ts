import { jwtVerify, SignJWT } from "jose";
import type { RobotPrincipal } from "../../access/principal.ts";
import { RegistryError } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { findRobotPrincipal } from "./token-holders.ts";

/** The lifetime of a robot token, which is issued in exchange for a token of a CI system. */
export const robotTokenSeconds = 3600;

/** How far the clocks of two nodes may differ. */
const skewSeconds = 30;

/** The issuer of robot tokens. It is not a URL, so it cannot be the issuer of a federation. */
export const robotTokenIssuer = "plimsoll";

/** The `typ` of robot tokens, so that no other token with the same key is accepted as one. */
const robotTokenType = "robot+jwt";

/** What signing and verifying robot tokens needs. */
export interface RobotTokenContext {
  /** Signs tokens: `deriveKey(key, "registry tokens")`. */
  readonly key: Uint8Array;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Signs a token that is a robot's password for an hour. It ends earlier if the robot's credential version changes. */
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

/** Identifies a robot by its name and a robot token. @throws RegistryError `invalid_token` */
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
  }).catch(() => undefined); // the message below is the same for every reason
  const { robot: id, credential_version } = verified?.payload ?? {};
  const robot = typeof id === "string" ? await findRobotPrincipal(db, { id }, now) : undefined;
  if (robot === undefined || robot.account.credential_version !== credential_version) {
    const message = `The token of the robot ${username.slice(0, 300)} has ended: exchange another token of the CI system`;
    throw new RegistryError("invalid_token", message);
  }
  return { ...robot, federation: "robot token" };
}
