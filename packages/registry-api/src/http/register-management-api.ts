import { notesOf } from "@plimsoll/http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { featureOff, featureOffOf } from "../access/feature-off.ts";
import { invalidRequest, notFound } from "../errors.ts";
import type { AnyOperation } from "../operation.ts";
import type { Origin, RegistrySettings } from "../settings.ts";
import { type AnswerOperation, answerOperation, type ServedRegistry } from "./answer-operation.ts";
import { apiErrorBody, errorTypes } from "./api-error.ts";
import { inRegistryProfile } from "./compatibility.ts";
import { effectiveOrigin } from "./effective-origin.ts";
import { createRouter } from "./routes.ts";
import { thrownError } from "./thrown-error.ts";

/** Where the management API is. */
export const apiPrefix = "/api/v1";

/**
 * Serves the management API under `/api/v1` on a Fastify instance. Operations of features that are off are answered with 404,
 * which names the setting: they keep their paths, so that no path means another operation without the feature. Every error is
 * answered as an `ApiError`.
 */
export function registerManagementApi(
  app: FastifyInstance,
  registry: ServedRegistry,
  operations: readonly AnyOperation[],
): void {
  const { settings } = registry;
  const inProfile = operations.map((each) => inRegistryProfile(settings.compatibility, each));
  const findRoute = createRouter(inProfile);
  const offOf = new Map(inProfile.map((each) => [each, featureOffOf(each, settings)]));
  const isOffered = (each: AnyOperation) => offOf.get(each) === undefined;
  const answers = new Map<AnyOperation, AnswerOperation>(
    inProfile.filter(isOffered).map((each) => [each, answerOperation(each, registry)]),
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
        if (route.kind === "unknown") throw notFound();
        if (route.kind === "wrong-method") {
          const allowed = route.others.filter(isOffered);
          const [off] = route.others.flatMap((each) => offOf.get(each) ?? []);
          if (allowed.length === 0 && off !== undefined) throw featureOff(off);
          return sendWrongMethod(reply, allowed, effectiveOrigin(request, settings));
        }
        const { operation, params } = route.match;
        notesOf(request.raw).operation = operation.id;
        const off = offOf.get(operation);
        if (off !== undefined) throw featureOff(off);
        await answers.get(operation)?.(request, reply, params);
        return reply;
      },
    });
  });
}

/** The operations of the features that are on, as the profile wants them. */
export function offeredOperations(
  operations: readonly AnyOperation[],
  settings: Pick<RegistrySettings, "features" | "compatibility">,
): readonly AnyOperation[] {
  const offered = operations.filter((each) => featureOffOf(each, settings) === undefined);
  return offered.map((each) => inRegistryProfile(settings.compatibility, each));
}

function sendWrongMethod(reply: FastifyReply, others: readonly AnyOperation[], origin: Origin): FastifyReply {
  const allowed = others.map(({ method }) => method);
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
