import {
  type Api,
  type ApiTypes,
  checkOf,
  isClientGone,
  type Nothing,
  type Operation,
  operationsFor,
  RequestError,
  registerApi,
  type Stage,
} from "@plimsoll/http";
import type { CredentialOptions } from "@plimsoll/registry/identity/sign-in/registry-credentials";
import { robotTokenSeconds, signRobotToken } from "@plimsoll/registry/identity/sign-in/token-holders";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Static, type TObject, Type } from "typebox";
import { openToAll } from "../access/public-access.ts";
import { isKnownOutage } from "../http/api-error.ts";
import { effectiveOrigin } from "../http/browser-calls.ts";
import { asDistributionError, DistributionError } from "./distribution-error.ts";
import { basicUsername, type RegistryAuth } from "./identify-caller.ts";
import {
  answerForm,
  answerQuery,
  OAuthToken,
  RegistryToken,
  type TokenContext,
  TokenForm,
  TokenQuery,
} from "./issue-token.ts";
import { fieldPicker } from "./operation.ts";
import { signInLogged } from "./token-sign-in.ts";

/** The response of the exchange. */
const RobotToken = Type.Object({ token: Type.String(), expires_in: Type.Integer(), issued_at: Type.String() });

/** The largest form that is read. Forms of real clients are smaller. */
const maxFormBytes = 65_536;

/** An operation of the token service. Every caller may request a token, because the token contains only actions that the caller may do. */
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
 * Issues registry tokens for the requested scopes. Actions that the caller may not do are left out, and never refused. No repository is
 * created here; the push creates it. `GET` accepts Basic credentials, `POST` these or the form of OAuth 2.
 * @see https://distribution.github.io/distribution/spec/auth/token/
 * @see https://distribution.github.io/distribution/spec/auth/oauth/
 */
export const tokenOperations: readonly TokenOperation[] = [
  operation({
    ...shared,
    id: "getRegistryToken",
    method: "GET",
    summary: "A registry token for Basic credentials.",
    query: TokenQuery,
    result: RegistryToken,
    audit: ["login_success", "login_failure", "federated_robot_token_exchange"],
    handle: ({ query }, context) => answerQuery(context, query),
  }),
  operation({
    ...shared,
    id: "requestRegistryToken",
    method: "POST",
    summary: "A registry token for the form of OAuth 2, or for Basic credentials.",
    query: TokenQuery,
    body: TokenForm,
    result: OAuthToken,
    audit: ["login_success", "login_failure", "federated_robot_token_exchange"],
    handle: ({ query, body }, context) => answerForm(context, query, body),
  }),
  operation({
    ...everyone,
    id: "exchangeFederatedRobotToken",
    method: "GET",
    path: "/oauth2/federation/robot/token",
    summary: "Exchange the token of a CI system for a robot token that is valid for an hour.",
    result: RobotToken,
    audit: ["federated_robot_token_exchange", "login_failure"],
    handle: (_, context) => exchangeRobotToken(context),
  }),
];

/** Exchanges Basic credentials, a robot with the token of a CI system, for a robot token. A robot token cannot be exchanged again. */
async function exchangeRobotToken({ request, options, auth }: TokenContext): Promise<Static<typeof RobotToken>> {
  const signIn = async () => {
    const principal = (await auth.identifyBasic(request.headers, request.ip))?.principal;
    if (principal?.kind === "robot" && principal.federation === "CI token") return principal;
    throw exchangeRefused(auth.challenge());
  };
  const robot = await signInLogged(request, options, { username: basicUsername(request.headers), signIn });
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

/** Serves `/v2/auth` and the exchange of robots' tokens on a Fastify instance. */
export function registerTokenService(app: FastifyInstance, options: CredentialOptions, auth: RegistryAuth): void {
  app.register(async (service) => registerApi(service, tokenApi(options, auth)));
}

function tokenApi(options: CredentialOptions, auth: RegistryAuth): Api<undefined> {
  return {
    operations: tokenOperations,
    stages: [readFields, handle(options, auth)],
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

/** Reads the declared fields of the query and of the form. */
const readFields: Stage<undefined> = {
  phase: "read",
  stepFor: ({ query, body }) => {
    const readers = { query: fieldReader("query", query), body: fieldReader("body", body) };
    return (exchange) => {
      const { query: given, body: form } = exchange.request;
      exchange.query = readers.query(Object.entries((given ?? {}) as object));
      exchange.body = readers.body(form instanceof URLSearchParams ? [...form] : []);
      return undefined;
    };
  },
};

function fieldReader(part: string, schema: unknown): (given: readonly (readonly [string, unknown])[]) => unknown {
  if (schema === undefined) return () => ({});
  const pick = fieldPicker(schema as TObject);
  const check = checkOf(part, schema as TObject);
  return (given) => {
    const declared = pick(given);
    check(declared);
    return declared;
  };
}

function handle(options: CredentialOptions, auth: RegistryAuth): Stage<undefined> {
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
  if (thrown instanceof DistributionError || thrown instanceof RequestError)
    return sendDistributionError(reply, asDistributionError(thrown, request));
  const { statusCode = 500, message } = thrown as FastifyError;
  if (statusCode >= 500) return sendFailure(request, reply, thrown);
  return sendDistributionError(reply, new DistributionError("INVALID_REQUEST", message, { status: statusCode }));
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  if (!isKnownOutage(thrown) && !isClientGone(request.raw))
    request.log.error({ err: thrown, requestId: request.id }, "request_failed");
  return sendDistributionError(reply, asDistributionError(thrown, request));
}

function sendDistributionError(reply: FastifyReply, error: DistributionError): FastifyReply {
  return reply.code(error.status).headers(error.headers).send(error.toJSON());
}
