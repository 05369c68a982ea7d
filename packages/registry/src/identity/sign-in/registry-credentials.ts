import { ifWritable } from "@plimsoll/store";
import type { Principal, RobotPrincipal, UserPrincipal } from "../../access/principal.ts";
import { type AccountRow, findUserByLogin } from "../../access/queries.ts";
import { buildTokenName, findBuildPrincipal } from "../../builds/build-tokens.ts";
import { decryptPassword } from "../../crypto/secrets.ts";
import type { Deps } from "../../deps.ts";
import { RegistryError } from "../../errors.ts";
import { customerNetwork } from "../../limits/address-limit.ts";
import { type FederatedTokens, noDirectory } from "../../ports/identities.ts";
import { baseUrl, type RegistrySettings } from "../../settings.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { findOAuthPrincipal } from "../oauth/tokens.ts";
import { type Federation, readFederation } from "../robots/federation.ts";
import { isAllowedRobot, robotsAreOff } from "../robots/robots.ts";
import { shownPassword } from "./check-password.ts";
import { foldLogin, forgiveFailuresOf } from "./failed-sign-ins.ts";
import { identifyLogin } from "./identify-login.ts";
import { findAccountOfDirectoryLogin } from "./queries/sign-ins.ts";
import { findFederatedRobot } from "./queries/token-holders.ts";
import {
  findAppTokenPrincipal,
  findRepositoryTokenPrincipal,
  findRobotPrincipal,
  identifyByRobotToken,
  robotTokenIssuer,
} from "./token-holders.ts";

/** A name and a secret, as registry clients send them. */
export interface RegistryCredentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Identifies the owner of credentials.
 * @param address the IP address of the client
 * @throws RegistryError `invalid_token`, `too_many_requests`, `downstream_issue`
 */
type CheckCredentials = (credentials: RegistryCredentials, address: string) => Promise<Principal>;

/** What checking credentials and the registry tokens for them needs. */
export interface CredentialOptions
  extends Pick<Deps, "settings" | "clock" | "passwords" | "loginKey" | "secrets" | "directory" | "federatedTokens"> {
  readonly db: RegistryDb;
  /** The key with which tokens are signed. */
  readonly tokenKey: Uint8Array;
  /** Whether users need a confirmed e-mail address. */
  readonly onlyVerified: boolean;
}

/**
 * Creates the check of registry clients' credentials: the name or e-mail address of a user with the password; the name of a robot with
 * its token, a token of a CI system or a robot token; and the names `$app`, `$oauthtoken`, `$token` and `$build` with an app token, an
 * OAuth token, a repository token and the secret of a running build.
 */
export function createCredentialCheck({
  db,
  settings,
  clock,
  passwords,
  loginKey,
  secrets,
  tokenKey,
  onlyVerified,
  directory,
  federatedTokens,
}: CredentialOptions): CheckCredentials {
  const { remembered } = passwords;
  const checking = new Map<string, Promise<AccountRow | undefined>>();
  return async ({ username, password }, address) => {
    const now = clock.now();
    switch (username) {
      case "$app":
        return (await findAppTokenPrincipal(db, { secret: password }, now)) ?? refuse("Invalid app token");
      case "$oauthtoken":
        return (await findOAuthPrincipal(db, password, now)) ?? refuse("The OAuth access token is not valid");
      case "$token":
        return (await findRepositoryTokenPrincipal(db, { secret: password })) ?? refuse("Invalid token");
      case buildTokenName:
        return (await findBuildPrincipal(db, { secret: password }, now)) ?? refuse("The build has ended");
    }
    if (isRobotName(username)) {
      if (!isAllowedRobot(settings, username)) refuse(robotsAreOff);
      const federation = readFederation(password);
      if (federation?.issuer === robotTokenIssuer) {
        return identifyByRobotToken(db, { username, token: password }, { key: tokenKey, now });
      }
      if (federation !== undefined) {
        const context = { db, settings, tokens: federatedTokens, now, address };
        return identifyFederatedRobot(context, username, { ...federation, token: password });
      }
      const robot = await findRobotPrincipal(db, { username, secret: password }, now);
      return robot ?? refuse(`There is no robot ${username.slice(0, 300)} with that token`);
    }
    const account =
      (await findUserByLogin(db, username)) ??
      (directory === noDirectory ? undefined : await accountInDirectory(db, username));
    const network = customerNetwork(address);
    const shown = shownPassword({ login: username, account }, { password, network });
    if (account !== undefined && remembered.recall(shown, now) === "fresh") {
      if (remembered.isReportDue(shown, now)) await ifWritable(() => forgiveFailuresOf(db, account, now));
      return signedIn(account, { onlyVerified });
    }
    const context = {
      db,
      settings,
      directory,
      passwords: passwords.of(() => address),
      loginKey,
      now,
    };
    const check = () => identifyLogin(context, username, decryptPassword(secrets, password));
    const found = await shared(checking, remembered.fingerprintOf(shown), check).catch(asInvalidToken);
    if (found === undefined) refuse("Invalid username or password");
    // the login may be that of another user in the directory
    if (account === undefined || found.id === account.id) {
      remembered.remember(shownPassword({ login: username, account: found }, { password, network }), now);
    }
    return signedIn(found, { onlyVerified });
  };
}

function accountInDirectory(db: RegistryDb, login: string): Promise<AccountRow | undefined> {
  return findAccountOfDirectoryLogin(db, foldLogin(login));
}

/** Whether a name is a robot's, `namespace+short`, and not an e-mail address with a plus. */
export function isRobotName(username: string): boolean {
  return username.includes("+") && !username.includes("@");
}

function signedIn(account: AccountRow, { onlyVerified }: { readonly onlyVerified: boolean }): UserPrincipal {
  if (account.enabled === 0) refuse("This user is disabled");
  if (onlyVerified && account.verified === 0) refuse("The e-mail address of this user is not confirmed");
  return { kind: "user", account, via: { kind: "password" } };
}

/** One check for all requests that send the same credentials at once, as the parallel requests of a push do. */
async function shared(
  checking: Map<string, Promise<AccountRow | undefined>>,
  name: string,
  check: () => Promise<AccountRow | undefined>,
): Promise<AccountRow | undefined> {
  const running = checking.get(name) ?? check().finally(() => checking.delete(name));
  checking.set(name, running);
  return running;
}

/** Turns the refusal of a directory user who cannot have an account into one of registry clients. */
function asInvalidToken(error: unknown): never {
  if (error instanceof RegistryError && error.code === "insufficient_scope") refuse(error.message);
  throw error;
}

function refuse(message: string): never {
  throw new RegistryError("invalid_token", message);
}

/** What {@link identifyFederatedRobot} needs. */
interface FederationCall {
  readonly db: RegistryDb;
  readonly settings: RegistrySettings;
  readonly tokens: FederatedTokens;
  readonly now: number;
  /** The IP address of the client. */
  readonly address: string;
}

/**
 * Identifies a robot by a token of a CI system. Requests are sent only to issuers in the robot's federations.
 * @throws RegistryError `invalid_token`
 */
async function identifyFederatedRobot(
  call: FederationCall,
  username: string,
  { token, issuer, subject }: Federation & { readonly token: string },
): Promise<RobotPrincipal> {
  const { db, settings, tokens, now, address: ip } = call;
  const id = await findFederatedRobot(db, { username, issuer, subject });
  const robot = id && (await findRobotPrincipal(db, { id }, now));
  if (!robot) {
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
