import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { splitRepository } from "../access/on-repository.ts";
import { accountOf, anonymous, type Principal } from "../access/principal.ts";
import { logFailedSignIn, logSignIn } from "../rules/log-sign-ins.ts";
import { repositoryActions } from "../rules/repository-actions.ts";
import { entityOf } from "../rules/token-entity.ts";
import { findAccount } from "../store/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { DistributionError } from "./distribution-error.ts";
import { basicUsername, type IdentifyOptions, type RegistryAuth } from "./identify-caller.ts";
import { registryTokenSeconds, signRegistryToken } from "./registry-tokens.ts";
import {
  grantedActions,
  parseTokenScopes,
  repositoryOfScope,
  type TokenAccess,
  type TokenScope,
} from "./token-scopes.ts";

/**
 * Serves `GET /v2/auth`: registry tokens for what a client asks and may. What it may not is left out, never refused. A repository
 * that a push is to create is created by the push.
 * @see https://distribution.github.io/distribution/spec/auth/token/
 */
export function registerTokenService(app: FastifyInstance, options: IdentifyOptions, auth: RegistryAuth): void {
  app.get("/v2/auth", { exposeHeadRoute: false }, async (request, reply) => {
    reply.header("docker-distribution-api-version", "registry/2.0").header("cache-control", "no-store");
    try {
      return await answer(request, options, auth);
    } catch (thrown) {
      if (!(thrown instanceof DistributionError)) throw thrown;
      return sendDistributionError(reply, thrown);
    }
  });
}

async function answer(request: FastifyRequest, options: IdentifyOptions, auth: RegistryAuth) {
  const { clock, settings, tokenKey } = options;
  const { scope, service } = request.query as Readonly<Record<string, unknown>>;
  const principal = await identify(request, options, auth);
  const scopes = parseTokenScopes(scope);
  if (principal.kind === "anonymous" && scopes.length === 0) {
    const headers = { "www-authenticate": auth.challenge() };
    throw new DistributionError("UNAUTHORIZED", "Expected credentials or a scope", { detail: {}, headers });
  }
  const now = clock.now();
  if (scopes.length === 0) await logSignIn(options.db, settings, principal, placeOf(request, now));
  const token = {
    subject: subjectOf(principal),
    audience: typeof service === "string" && service !== "" ? service.slice(0, 255) : settings.host,
    entity: entityOf(principal),
    access: await Promise.all(scopes.map((each) => accessOf(options, principal, each))),
  };
  return {
    token: await signRegistryToken(token, tokenKey, now),
    expires_in: registryTokenSeconds,
    issued_at: new Date(now).toISOString(),
  };
}

/** Who asks. A client that signs in asks for no scope, so that what a push and a pull ask is not in the usage log. */
async function identify(request: FastifyRequest, options: IdentifyOptions, auth: RegistryAuth): Promise<Principal> {
  try {
    return (await auth.identifyBasic(request.headers))?.principal ?? anonymous;
  } catch (error) {
    if (error instanceof DistributionError && error.code === "UNAUTHORIZED") {
      const failed = { username: basicUsername(request.headers), message: error.message };
      await logFailedSignIn(options.db, options.settings, failed, placeOf(request, options.clock.now()));
    }
    throw error;
  }
}

function placeOf({ ip, headers }: FastifyRequest, now: number) {
  return { type: "v2auth", ip, userAgent: headers["user-agent"] ?? "", now } as const;
}

async function accessOf(
  { db, settings }: IdentifyOptions,
  principal: Principal,
  { type, name, actions }: TokenScope,
): Promise<TokenAccess> {
  if (type !== "repository") return { type, name, actions: [] };
  const path = repositoryOfScope(name, settings.host);
  const rights = await repositoryActions(db, settings, principal, path);
  if (rights.repository === undefined) await checkEnabled(db, path);
  return { type, name, actions: grantedActions(actions, rights.actions) };
}

/** @throws DistributionError `DENIED` for what is in a disabled namespace, which nobody can do anything with */
async function checkEnabled(db: RegistryDb, path: string): Promise<void> {
  const { namespace } = splitRepository(path);
  if ((await findAccount(db, namespace, "user", "organization"))?.enabled !== 0) return;
  throw new DistributionError("DENIED", `The namespace ${namespace} is disabled`, { status: 405 });
}

function subjectOf(principal: Principal): string {
  return accountOf(principal)?.username ?? "(anonymous)";
}

function sendDistributionError(reply: FastifyReply, error: DistributionError): FastifyReply {
  return reply.code(error.status).headers(error.headers).send(error.toJSON());
}
