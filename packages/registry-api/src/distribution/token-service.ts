import {
  type Api,
  type ApiTypes,
  type Nothing,
  type Operation,
  operationsFor,
  registerApi,
  type Stage,
} from "@plimsoll/http";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { splitRepository } from "../access/on-repository.ts";
import { accountOf, anonymous, type Principal } from "../access/principal.ts";
import { openToAll } from "../access/public-access.ts";
import { findAccount } from "../access/queries/accounts.ts";
import { effectiveOrigin } from "../http/effective-origin.ts";
import { isKnownOutage } from "../http/known-outage.ts";
import type { Origin } from "../settings.ts";
import { logFailedSignIn, logSignIn } from "../sign-in/log-sign-ins.ts";
import { robotTokenSeconds, signRobotToken } from "../sign-in/robot-tokens.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { LogKind } from "../values/log-kinds.ts";
import { asDistributionError } from "./as-distribution-error.ts";
import { DistributionError } from "./distribution-error.ts";
import { basicUsername, type IdentifyOptions, type RegistryAuth } from "./identify-caller.ts";
import { readRefreshToken, registryTokenSeconds, signRefreshToken, signRegistryToken } from "./registry-tokens.ts";
import { repositoryActions } from "./repository-actions.ts";
import { entityOf } from "./token-entity.ts";
import {
  grantedActions,
  parseTokenScopes,
  repositoryOfScope,
  type TokenAccess,
  type TokenScope,
} from "./token-scopes.ts";

/** The longest form that is read; those of clients are shorter. */
const maxFormBytes = 65_536;

/** How a refresh token is used: RFC 6749 §6. */
const refreshScheme = "refresh_token";

/** The caller who asks for a token. */
interface Asker {
  readonly principal: Principal;
  /** Whether the caller showed credentials, rather than a token that was made of them. */
  readonly hasSignedIn: boolean;
}

/** A request to the token service. */
interface TokenRequest {
  readonly scopes: readonly TokenScope[];
  readonly audience: string;
  /** Where the client finds the registry. */
  readonly origin: Origin;
}

interface TokenContext {
  readonly request: FastifyRequest;
  readonly options: IdentifyOptions;
  readonly auth: RegistryAuth;
}

const issued = { token: Type.String(), expires_in: Type.Integer(), issued_at: Type.String() };

const RegistryToken = Type.Object(issued);

const OAuthToken = Type.Object({
  ...issued,
  access_token: Type.String(),
  token_type: Type.Literal("Bearer"),
  scope: Type.String(),
  refresh_token: Type.Optional(Type.String()),
});

const RobotToken = Type.Object(issued);

/** An operation of the token service. The token says what its caller may do, so that every caller may ask for one. */
interface TokenOperation extends Operation {
  readonly access: typeof openToAll;
}

interface TokenTypes extends ApiTypes {
  readonly context: TokenContext;
  readonly admission: object;
  readonly accessMembers: Pick<TokenOperation["access"], "who">;
  readonly feature: string;
  readonly logKind: LogKind;
  readonly members: object;
  readonly plainResult: Nothing;
  readonly operation: TokenOperation;
}

const operation = operationsFor<TokenTypes>();

const everyone = { success: 200, access: openToAll, withoutHead: true } as const;
const shared = { ...everyone, path: "/v2/auth" } as const;

/**
 * Issues registry tokens for the scopes that a client asks for. Actions that the caller may not do are left out, and never refused.
 * A repository that a push is to create is created by the push. `GET` takes Basic credentials, `POST` the form of OAuth 2.
 * @see https://distribution.github.io/distribution/spec/auth/token/
 * @see https://distribution.github.io/distribution/spec/auth/oauth/
 */
export const tokenOperations: readonly TokenOperation[] = [
  operation({
    ...shared,
    id: "getRegistryToken",
    method: "GET",
    summary: "A registry token for Basic credentials.",
    result: RegistryToken,
    audit: ["login_success", "login_failure", "federated_robot_token_exchange"],
    handle: (_, { request, options, auth }) => answerQuery(request, options, auth),
  }),
  operation({
    ...shared,
    id: "requestRegistryToken",
    method: "POST",
    summary: "A registry token for the form of OAuth 2.",
    result: OAuthToken,
    audit: ["login_success", "login_failure", "federated_robot_token_exchange"],
    handle: (_, { request, options, auth }) => answerForm(request, options, auth),
  }),
  operation({
    ...everyone,
    id: "exchangeFederatedRobotToken",
    method: "GET",
    path: "/oauth2/federation/robot/token",
    summary: "A password of an hour for a robot, for the token of a CI system.",
    result: RobotToken,
    audit: ["federated_robot_token_exchange", "login_failure"],
    handle: (_, { request, options, auth }) => exchangeToken(request, options, auth),
  }),
];

/** Serves `/v2/auth` and the exchange of robots' tokens on a Fastify instance. */
export function registerTokenService(app: FastifyInstance, options: IdentifyOptions, auth: RegistryAuth): void {
  app.register(async (service) => registerApi(service, tokenApi(options, auth)));
}

function tokenApi(options: IdentifyOptions, auth: RegistryAuth): Api<undefined> {
  return {
    operations: tokenOperations,
    stages: [handle(options, auth)],
    sendError: (thrown, request, reply) => {
      nameProtocol(reply);
      return sendTokenError(thrown, request, reply);
    },
    maxBodyBytes: maxFormBytes,
    bodies: { mediaType: "application/x-www-form-urlencoded", parse: (text) => new URLSearchParams(text) },
  };
}

function nameProtocol(reply: FastifyReply): void {
  reply.header("docker-distribution-api-version", "registry/2.0").header("cache-control", "no-store");
}

function handle(options: IdentifyOptions, auth: RegistryAuth): Stage<undefined> {
  return {
    phase: "transaction",
    stepFor: (each) => async (exchange) => {
      const { request, reply } = exchange;
      const context = { request, options, auth: auth.at(effectiveOrigin(request, options.settings)) };
      const token = await each.handle(exchange, context);
      nameProtocol(reply);
      reply.send(token);
      return undefined;
    },
  };
}

function sendTokenError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (thrown instanceof DistributionError) return sendDistributionError(reply, thrown);
  const { statusCode = 500, message } = thrown as FastifyError;
  if (statusCode >= 500) return sendFailure(request, reply, thrown);
  return sendDistributionError(reply, new DistributionError("INVALID_REQUEST", message, { status: statusCode }));
}

async function answerQuery(
  request: FastifyRequest,
  options: IdentifyOptions,
  auth: RegistryAuth,
): Promise<Static<typeof RegistryToken>> {
  const { scope, service } = request.query as Readonly<Record<string, unknown>>;
  const signIn = async () => (await auth.identifyBasic(request.headers, request.ip))?.principal ?? anonymous;
  const principal = await signedIn(request, options, { username: basicUsername(request.headers), signIn });
  const asked = askedOf({ scope, service }, effectiveOrigin(request, options.settings));
  if (principal.kind === "anonymous" && asked.scopes.length === 0) {
    const headers = { "www-authenticate": auth.challenge() };
    throw new DistributionError("UNAUTHORIZED", "Expected credentials or a scope", { detail: {}, headers });
  }
  await logSignInOf(request, options, { principal, hasSignedIn: true }, asked);
  const { token, expires_in, issued_at } = await grant(options, principal, asked);
  return { token, expires_in, issued_at };
}

async function answerForm(
  request: FastifyRequest,
  options: IdentifyOptions,
  auth: RegistryAuth,
): Promise<Static<typeof OAuthToken>> {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const given = { scope: form.getAll("scope"), service: form.get("service") };
  const asked = askedOf(given, effectiveOrigin(request, options.settings));
  const asker = await identifyForm(request, form, { options, auth, audience: asked.audience });
  await logSignInOf(request, options, asker, asked);
  const { principal } = asker;
  const { token: access_token, access, ...lifetime } = await grant(options, principal, asked);
  const scope = access.map(({ type, name, actions }) => `${type}:${name}:${actions.join(",")}`).join(" ");
  const lasts = asker.hasSignedIn && form.get("access_type") === "offline" && !isFederated(principal);
  const refresh = lasts && {
    refresh_token: await signRefreshToken(
      { audience: asked.audience, entity: entityOf(principal), lifetimeSeconds: options.settings.sessionSeconds },
      options.tokenKey,
      options.clock.now(),
    ),
  };
  return { access_token, token: access_token, token_type: "Bearer", scope, ...lifetime, ...refresh };
}

/** @throws DistributionError `UNAUTHORIZED`, `INVALID_REQUEST` */
async function identifyForm(
  request: FastifyRequest,
  form: URLSearchParams,
  { options, auth, audience }: { options: IdentifyOptions; auth: RegistryAuth; audience: string },
): Promise<Asker> {
  switch (form.get("grant_type")) {
    case "password": {
      const credentials = { username: fieldOf(form, "username"), password: fieldOf(form, "password") };
      const signIn = async () => (await auth.identifyCredentials(credentials, request.ip)).principal;
      return {
        principal: await signedIn(request, options, { username: credentials.username, signIn }),
        hasSignedIn: true,
      };
    }
    case refreshScheme: {
      const now = options.clock.now();
      const jwt = fieldOf(form, refreshScheme);
      const entity = await readRefreshToken(jwt, { key: options.tokenKey, audience, now });
      const principal = entity && (await auth.findPrincipal(entity));
      if (principal === undefined) throw refreshRefused(auth.challenge());
      return { principal, hasSignedIn: false };
    }
    default:
      throw new DistributionError("INVALID_REQUEST", `grant_type: expected password or ${refreshScheme}`);
  }
}

/** Such a sign-in must not be good for longer than the token that it was made with, and one registry token. */
function isFederated(principal: Principal): boolean {
  return principal.kind === "robot" && principal.federation !== undefined;
}

/** The answer to Basic credentials of a robot with the token of a CI system. What is given for it cannot be exchanged again. */
async function exchangeToken(
  request: FastifyRequest,
  options: IdentifyOptions,
  auth: RegistryAuth,
): Promise<Static<typeof RobotToken>> {
  const signIn = async () => {
    const principal = (await auth.identifyBasic(request.headers, request.ip))?.principal;
    if (principal?.kind === "robot" && principal.federation === "CI token") return principal;
    throw exchangeRefused(auth.challenge());
  };
  const robot = await signedIn(request, options, { username: basicUsername(request.headers), signIn });
  const now = options.clock.now();
  return {
    token: await signRobotToken(robot, { key: options.tokenKey, now }),
    expires_in: robotTokenSeconds,
    issued_at: new Date(now).toISOString(),
  };
}

function exchangeRefused(challenge: string): DistributionError {
  const options = { detail: {}, headers: { "www-authenticate": challenge } };
  const message = "Expected Basic credentials: the name of a robot, and a token of a CI system with which it signs in";
  return new DistributionError("UNAUTHORIZED", message, options);
}

function fieldOf(form: URLSearchParams, name: string): string {
  const value = form.get(name) ?? "";
  if (value !== "") return value;
  throw new DistributionError("INVALID_REQUEST", `${name} is missing in the form`);
}

function refreshRefused(challenge: string): DistributionError {
  const options = { detail: {}, headers: { "www-authenticate": challenge } };
  return new DistributionError("UNAUTHORIZED", "The refresh token is not valid, or no longer: sign in again", options);
}

function askedOf(
  { scope, service }: { readonly scope: unknown; readonly service: unknown },
  origin: Origin,
): TokenRequest {
  const audience = typeof service === "string" && service !== "" ? service.slice(0, 255) : origin.host;
  return { scopes: parseTokenScopes(scope), audience, origin };
}

/** A client that signs in asks for no scope, so that what a push and a pull ask is not in the usage log. */
async function logSignInOf(
  request: FastifyRequest,
  { db, settings, clock }: IdentifyOptions,
  { principal, hasSignedIn }: Asker,
  { scopes }: TokenRequest,
): Promise<void> {
  if (hasSignedIn && scopes.length === 0) await logSignIn(db, settings, principal, placeOf(request, clock.now()));
}

async function grant(options: IdentifyOptions, principal: Principal, { scopes, audience, origin }: TokenRequest) {
  const now = options.clock.now();
  const access = await Promise.all(scopes.map((each) => accessOf(options, { principal, origin }, each)));
  const claims = { subject: subjectOf(principal), audience, entity: entityOf(principal), access };
  return {
    token: await signRegistryToken(claims, options.tokenKey, now),
    access,
    expires_in: registryTokenSeconds,
    issued_at: new Date(now).toISOString(),
  };
}

/** The caller who signs in. A refusal is written to the usage log under the name that was given. */
async function signedIn<Found extends Principal>(
  request: FastifyRequest,
  { db, settings, clock }: IdentifyOptions,
  { username, signIn }: { readonly username: string; readonly signIn: () => Promise<Found> },
): Promise<Found> {
  try {
    return await signIn();
  } catch (error) {
    if (error instanceof DistributionError && error.code === "UNAUTHORIZED") {
      await logFailedSignIn(db, settings, { username, message: error.message }, placeOf(request, clock.now()));
    }
    throw error;
  }
}

function placeOf({ ip, headers }: FastifyRequest, now: number) {
  return { type: "v2auth", ip, userAgent: headers["user-agent"] ?? "", now } as const;
}

async function accessOf(
  { db, settings }: IdentifyOptions,
  { principal, origin }: { readonly principal: Principal; readonly origin: Origin },
  { type, name, actions }: TokenScope,
): Promise<TokenAccess> {
  if (type !== "repository") return { type, name, actions: [] };
  const path = repositoryOfScope(name, origin.host, settings.host);
  const rights = await repositoryActions(db, settings, principal, path);
  if (rights.repository === undefined) await checkEnabled(db, path);
  return { type, name, actions: grantedActions(actions, rights.actions) };
}

/** @throws DistributionError `DENIED` for a repository in a disabled namespace: every caller is refused */
async function checkEnabled(db: RegistryDb, path: string): Promise<void> {
  const { namespace } = splitRepository(path);
  if ((await findAccount(db, namespace, "user", "organization"))?.enabled !== 0) return;
  throw new DistributionError("DENIED", `The namespace ${namespace} is disabled`, { status: 405 });
}

function subjectOf(principal: Principal): string {
  return accountOf(principal)?.username ?? "(anonymous)";
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  if (!isKnownOutage(thrown)) request.log.error({ err: thrown, requestId: request.id }, "request_failed");
  return sendDistributionError(reply, asDistributionError(thrown, request));
}

function sendDistributionError(reply: FastifyReply, error: DistributionError): FastifyReply {
  return reply.code(error.status).headers(error.headers).send(error.toJSON());
}
