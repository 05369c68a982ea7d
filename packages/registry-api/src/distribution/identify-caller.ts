import type { IncomingHttpHeaders } from "node:http";
import { splitRepository } from "@plimsoll/registry/access/on-repository";
import type { Principal } from "@plimsoll/registry/access/principal";
import type { PushPlace } from "@plimsoll/registry/distribution/queries";
import { RegistryError } from "@plimsoll/registry/errors";
import { isAllowedRobot } from "@plimsoll/registry/identity/robots/robots";
import {
  type CredentialOptions,
  createCredentialCheck,
  type RegistryCredentials,
} from "@plimsoll/registry/identity/sign-in/registry-credentials";
import { baseUrl, type Origin } from "@plimsoll/registry/settings";
import { type DistributionAuth, type DistributionCaller, unbounded } from "./auth-port.ts";
import { DistributionError, ofRegistry } from "./distribution-error.ts";
import { readRegistryToken } from "./registry-tokens.ts";
import { type FoundCaller, findEntityAt, type TokenEntity } from "./token-entity.ts";

/** Authenticates callers of the protocol, by registry tokens and by Basic credentials. */
export interface RegistryAuth extends DistributionAuth {
  at(origin: Origin): RegistryAuth;
  /** The caller of an `Authorization: Basic` header; undefined without the header. @throws DistributionError */
  identifyBasic(headers: IncomingHttpHeaders, address?: string): Promise<DistributionCaller | undefined>;
  /** The caller with these credentials. @throws DistributionError */
  identifyCredentials(credentials: RegistryCredentials, address?: string): Promise<DistributionCaller>;
  /** The current principal of a token; undefined if the credentials for which the token was issued are no longer valid. */
  findPrincipal(entity: TokenEntity): Promise<Principal | undefined>;
}

/** The authentication of the protocol, for clients that reach the registry at the host of its settings. */
export function createRegistryAuth(options: CredentialOptions): RegistryAuth {
  const check = createCredentialCheck(options);
  const authAt = (origin: Origin): RegistryAuth => registryAuthAt(options, check, { origin, at: authAt });
  const { settings } = options;
  return authAt({
    scheme: settings.scheme,
    get host() {
      return settings.host; // known once the process listens
    },
  });
}

function registryAuthAt(
  options: CredentialOptions,
  check: ReturnType<typeof createCredentialCheck>,
  { origin, at }: { readonly origin: Origin; readonly at: RegistryAuth["at"] },
): RegistryAuth {
  const challenge: RegistryAuth["challenge"] = (...scopeAndError) => challengeOf(origin, ...scopeAndError);
  const identifyBasic: RegistryAuth["identifyBasic"] = async ({ authorization }, address = "") => {
    if (authorization === undefined) return undefined;
    const credentials = parseBasic(authorization) ?? refuse("The Authorization header is malformed", challenge());
    return basicCaller(() => check(credentials, address), challenge());
  };
  return {
    at,
    challenge,
    identifyBasic,
    identifyCredentials: (credentials, address = "") => basicCaller(() => check(credentials, address), challenge()),
    findPrincipal: async (entity) => (await callerOf(options, entity)).principal,
    async identify(headers, { address, place } = {}) {
      const [, jwt] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "") ?? [];
      if (jwt === undefined) return identifyBasic(headers, address);
      return (
        (await tokenCaller(options, origin, { jwt, place })) ?? refuse("The registry token is not valid", challenge())
      );
    },
  };
}

async function basicCaller(check: () => Promise<Principal>, challenge: string): Promise<DistributionCaller> {
  try {
    return { principal: await check(), ...unbounded };
  } catch (cause) {
    if (!(cause instanceof RegistryError)) throw cause;
    if (cause.code === "invalid_token") return refuse(cause.message, challenge);
    throw ofRegistry(cause);
  }
}

async function callerOf(
  { db, settings, clock }: CredentialOptions,
  entity: TokenEntity,
  place?: PushPlace,
): Promise<FoundCaller> {
  const found = await findEntityAt(db, entity, { place, now: clock.now() });
  const { principal } = found;
  const isRefused = principal?.kind === "robot" && !isAllowedRobot(settings, principal.account.username);
  return isRefused ? { principal: undefined } : found;
}

async function tokenCaller(
  options: CredentialOptions,
  { host }: Origin,
  { jwt, place: wantedPlace }: { readonly jwt: string; readonly place: PushPlace | undefined },
): Promise<DistributionCaller | undefined> {
  const { settings, clock, tokenKey } = options;
  const now = clock.now();
  const hosts = [host, settings.host];
  const token = await readRegistryToken(jwt, { key: tokenKey, audience: hosts, now });
  if (token === undefined) return undefined;
  const { principal, place } = await callerOf(options, token.entity, wantedPlace);
  if (principal === undefined) return undefined;
  const accessTo = (repository: string) => token.access.filter(({ name }) => isName(name, repository, hosts));
  return {
    principal,
    place,
    allows: (repository, action) =>
      accessTo(repository).some(({ actions }) => actions.includes(action) || actions.includes("*")),
  };
}

/** Whether a name in a token is that repository. Names in tokens are written by clients: with or without host and `library/`. */
function isName(given: string, repository: string, hosts: readonly string[]): boolean {
  const host = hosts.find((each) => given.startsWith(`${each}/`));
  const { namespace, name } = splitRepository(host === undefined ? given : given.slice(host.length + 1));
  return `${namespace}/${name}` === repository;
}

/** The name in an `Authorization: Basic` header; empty where there is none. */
export function basicUsername({ authorization = "" }: IncomingHttpHeaders): string {
  return parseBasic(authorization)?.username ?? "";
}

/** RFC 7617 §2: the name ends at the first colon; UTF-8. */
function parseBasic(header: string): RegistryCredentials | undefined {
  const [, encoded = ""] = /^Basic +([\w+/=-]+) *$/i.exec(header) ?? [];
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon <= 0 || /[\x00-\x1f]/.test(text)) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function challengeOf(origin: Origin, scope?: string, error?: string): string {
  const members = { realm: `${baseUrl(origin)}/v2/auth`, service: origin.host, scope, error };
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return `Bearer ${given.map(([name, value]) => `${name}="${value}"`).join(",")}`;
}

function refuse(message: string, challenge: string): never {
  throw new DistributionError("UNAUTHORIZED", message, { detail: {}, headers: { "www-authenticate": challenge } });
}
