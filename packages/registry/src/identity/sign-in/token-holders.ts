import { randomUUID } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import type { RepositoryTokenPrincipal, RobotPrincipal, UserPrincipal } from "../../access/principal.ts";
import type { CallContext } from "../../context.ts";
import { hashSecret, randomSecret, type Sealer } from "../../crypto/secrets.ts";
import { RegistryError } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { isAccountName } from "../../values/names.ts";
import { isNewAccess } from "../oauth/tokens.ts";
import {
  type AppToken,
  findAppToken,
  findAppTokenRow,
  findRepositoryTokenRow,
  findRobotRow,
  insertAppToken,
  type RobotRow,
  removeAppToken,
  storeAppTokenAccess,
  storeRobotAccess,
  type TokenKey,
} from "./queries/token-holders.ts";

/** The robot with a name and its token, or with an id. Undefined if the robot or its namespace is disabled. */
export async function findRobotPrincipal(
  db: RegistryDb,
  key: { readonly username: string; readonly secret: string } | { readonly id: string },
  now: number,
): Promise<RobotPrincipal | undefined> {
  if ("username" in key && !isAccountName(key.username)) return undefined;
  return robotOf(db, await findRobotRow(db, key), now);
}

/** The principal of a robot's row. Stores that the robot was used now. */
export async function robotOf(
  db: RegistryDb,
  row: RobotRow | undefined,
  now: number,
): Promise<RobotPrincipal | undefined> {
  if (row === undefined) return undefined;
  const { owner_id: ownerId, ...account } = row;
  if (isNewAccess(account.last_accessed_at ?? 0, now)) {
    await storeRobotAccess(db, account.id, now);
  }
  return { kind: "robot", account, ownerId };
}

/** The user of an app token; undefined if the token has expired or the user is disabled. */
export async function findAppTokenPrincipal(
  db: RegistryDb,
  key: TokenKey,
  now: number,
): Promise<UserPrincipal | undefined> {
  const row = await findAppTokenRow(db, key, now);
  if (row === undefined) return undefined;
  const { token_id: id, title, token_accessed_at, ...account } = row;
  if (isNewAccess(token_accessed_at ?? 0, now)) {
    await storeAppTokenAccess(db, id, now);
  }
  return { kind: "user", account, via: { kind: "app-token", id, title } };
}

/** The principal of a repository token; undefined if the repository is deleted or its namespace is disabled. */
export async function findRepositoryTokenPrincipal(
  db: RegistryDb,
  key: TokenKey,
): Promise<RepositoryTokenPrincipal | undefined> {
  const row = await findRepositoryTokenRow(db, key);
  if (row === undefined) return undefined;
  const { id, friendly_name: friendlyName, repository_id: repositoryId, role } = row;
  return { kind: "repository-token", id, friendlyName, repositoryId, role };
}

/** An app token to create. */
interface NewAppToken {
  readonly accountId: string;
  readonly title: string;
  readonly now: number;
  /** Absent: the token never expires. */
  readonly lifetimeSeconds?: number | undefined;
}

/** Creates an app token. Its code is stored sealed, so that the owner can read it again. */
export async function createAppToken(db: RegistryDb, secrets: Sealer, request: NewAppToken): Promise<AppToken> {
  const { accountId, title, now, lifetimeSeconds } = request;
  const code = randomSecret(120);
  const row = {
    id: randomUUID(),
    account_id: accountId,
    title,
    token_hash: hashSecret(code),
    token_sealed: secrets.seal(code),
    created_at: now,
    expires_at: lifetimeSeconds === undefined ? null : now + lifetimeSeconds * 1000,
    last_accessed_at: null,
  };
  await insertAppToken(db, row);
  return row;
}

/** Ends an app token of an account. @returns it; undefined if the account has no such token */
export async function endAppToken(
  { db, log }: Pick<CallContext<"revoke_app_specific_token">, "db" | "log">,
  accountId: string,
  tokenId: string,
): Promise<AppToken | undefined> {
  const token = await findAppToken(db, accountId, tokenId);
  if (token === undefined) return undefined;
  await removeAppToken(db, token.id);
  await log("revoke_app_specific_token", { app_specific_token_title: token.title, app_specific_token: token.id });
  return token;
}

/** The lifetime of a robot token, which is issued in exchange for a token of a CI system. */
export const robotTokenSeconds = 3600;

/** How far the clocks of two nodes may differ. */
const skewSeconds = 30;

/** The issuer of robot tokens. It is not a URL, so it cannot be the issuer of a federation. */
export const robotTokenIssuer = "plimsoll";

/** The `typ` of robot tokens, so that no other token with the same key is accepted as one. */
const robotTokenType = "robot+jwt";

/** What signing and verifying robot tokens needs. */
interface TokenSigning {
  /** Signs tokens: `deriveKey(key, "registry tokens")`. */
  readonly key: Uint8Array;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Signs a token that is a robot's password for an hour. It ends earlier if the robot's credential version changes. */
export async function signRobotToken({ account }: RobotPrincipal, { key, now }: TokenSigning): Promise<string> {
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
  { key, now }: TokenSigning,
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
