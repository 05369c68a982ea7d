import { notesOf } from "@plimsoll/http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { invalidRequest, notFound } from "../errors.ts";
import type { AnyOperation } from "../operation.ts";
import type { Features, Origin, RegistrySettings } from "../settings.ts";
import { type AnswerOperation, answerOperation, type ServedRegistry } from "./answer-operation.ts";
import { apiErrorBody, errorTypes } from "./api-error.ts";
import { inRegistryProfile } from "./compatibility.ts";
import { effectiveOrigin } from "./effective-origin.ts";
import { createRouter, type RouteResult } from "./routes.ts";
import { thrownError } from "./thrown-error.ts";

/** Where the management API is. */
export const apiPrefix = "/api/v1";

/**
 * Serves the management API under `/api/v1` on a Fastify instance. Operations of features that are off are answered with 404,
 * which names the feature. Every error is answered as an `ApiError`.
 */
export function registerManagementApi(
  app: FastifyInstance,
  registry: ServedRegistry,
  operations: readonly AnyOperation[],
): void {
  const { settings } = registry;
  const offered = offeredOperations(operations, settings);
  const findRoute = createRouter(offered);
  const ids = new Set(offered.map(({ id }) => id));
  const findOff = createRouter(operations.filter(({ id }) => !ids.has(id)));
  const answers = new Map<AnyOperation, AnswerOperation>(
    offered.map((each) => [each, answerOperation(each, registry)]),
  );
  app.register(async (api) => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser("*", (_, body, done) => done(null, body)); // read once the caller is admitted
    api.setErrorHandler((error, request, reply) => sendError(error, request, reply, settings));
    api.addHook("onRequest", (_, reply, done) => {
      reply.header("access-control-allow-origin", "*");
      done();
    });
    api.options(`${apiPrefix}/*`, async (_, reply) =>
      reply
        .header("access-control-allow-methods", "GET, POST, PUT, DELETE, OPTIONS")
        .header("access-control-allow-headers", "authorization, content-type, x-requested-with, x-csrf-token")
        .send(),
    );
    api.route({
      method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      url: `${apiPrefix}/*`,
      bodyLimit: settings.maxBodyBytes,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const { url } = request;
        const end = url.indexOf("?");
        const path = url.slice(apiPrefix.length, end < 0 ? undefined : end);
        const method = request.method === "HEAD" ? "GET" : request.method;
        const route = findRoute(method, path);
        if (route.kind !== "found") refuseOff(findOff(method, path), settings);
        if (route.kind === "unknown") throw notFound();
        if (route.kind === "wrong-method")
          return sendWrongMethod(reply, route.allowed, effectiveOrigin(request, settings));
        notesOf(request.raw).operation = route.match.operation.id;
        await answers.get(route.match.operation)?.(request, reply, route.match.params);
        return reply;
      },
    });
  });
}

/** The operations of the features that are on, as the profile wants them. */
export function offeredOperations(
  operations: readonly AnyOperation[],
  { features, compatibility }: Pick<RegistrySettings, "features" | "compatibility">,
): readonly AnyOperation[] {
  const isOn = (feature: keyof Features | undefined) => feature === undefined || features[feature];
  const offered = operations.filter(({ feature, access }) => isOn(feature) && isOn(access.feature));
  return offered.map((each) => inRegistryProfile(compatibility, each));
}

/** Says which feature an operation belongs to that is off here. @throws RegistryError `not_found` */
function refuseOff(route: RouteResult, { features }: RegistrySettings): void {
  if (route.kind !== "found") return;
  const { feature, access } = route.match.operation;
  const off = [feature, access.feature].find((name) => name !== undefined && !features[name]);
  if (off !== undefined)
    throw notFound(`Not Found: the feature is off in this registry. The setting features.${off} turns it on`);
}

function sendWrongMethod(reply: FastifyReply, allowed: readonly string[], origin: Origin): FastifyReply {
  const error = invalidRequest(`Method not allowed: expected ${allowed.join(" or ")}`);
  return reply
    .code(405)
    .header("allow", allowed.join(", "))
    .send({ ...apiErrorBody(error, origin), status: 405 });
}

/** Answers whatever was thrown as an `ApiError`. */
export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  settings: RegistrySettings,
): void {
  const error = thrownError(thrown, request);
  if (error.code === "invalid_token" || error.code === "expired_token") reply.header("www-authenticate", "Bearer");
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", String(error.retryAfterSeconds));
  reply.code(errorTypes[error.code].status).send(apiErrorBody(error, effectiveOrigin(request, settings)));
}
