import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerOf } from "./answer.ts";
import type { Api } from "./api.ts";
import { type ErrorAnswer, type ErrorTable, findAnswer, RequestError, type RequestErrorCode } from "./errors.ts";
import { askForBodies } from "./expect-continue.ts";
import type { BoundOperation } from "./operation.ts";

/** How the kernel's own refusals are answered; `internal-error` is the code of everything that has no better one. */
export const requestErrorAnswers: Readonly<Record<RequestErrorCode, ErrorAnswer>> = {
  malformed_request: { status: 400, code: "bad-request" },
  unknown_path: { status: 404, code: "not-found" },
  method_not_allowed: { status: 405, code: "method-not-allowed" },
  body_too_large: { status: 413, code: "body-too-large" },
  encoding_not_acceptable: { status: 415, code: "encoding-not-acceptable" },
  expectation_failed: { status: 417, code: "expectation-failed" },
  headers_too_large: { status: 431, code: "headers-too-large" },
  not_acceptable: { status: 415, code: "not-acceptable" },
  request_timed_out: { status: 408, code: "request-timeout" },
  unsupported_media_type: { status: 415, code: "unsupported-media-type" },
  too_many_requests: { status: 429, code: "too-many-requests" },
  unauthorized: { status: 401, code: "unauthorized" },
  unavailable: { status: 503, code: "unavailable" },
};

/**
 * Serves an API on a Fastify instance, or on a plug-in's part of one: bodies arrive as bytes, and every error is answered as
 * the API says.
 */
export function registerApi(app: FastifyInstance, api: Api): void {
  askForBodies(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: api.maxBodyBytes }, (_, body, done) =>
    done(null, body),
  );
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  for (const operation of api.operations) {
    const answer = answerOf(operation, api);
    app.route({
      method: [...methodsOf(operation)],
      url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      bodyLimit: api.maxBodyBytes,
      exposeHeadRoute: false,
      handler: answer,
    });
  }
  const sendError = errorSender(api);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
}

/** Answers what hooks throw outside operations as the API says: for an instance that serves nothing else. */
export function registerErrors(app: FastifyInstance, api: Api): void {
  const sendError = errorSender(api);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
}

/** Answers unknown paths and wrong methods as the API says: for an instance that serves nothing else. */
export function registerUnknown(app: FastifyInstance, api: Api): void {
  const sendError = errorSender(api);
  app.setNotFoundHandler((request, reply) => sendError(unknownRequest(api.operations, request, reply), request, reply));
}

type SendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

function errorSender(api: Api): SendError {
  const table: ErrorTable = { RequestError: requestErrorAnswers, ...api.errors };
  const [mediaType = "application/json"] = api.mediaTypes("error");
  return (thrown, request, reply) => {
    const error = asRequestError(thrown);
    const answer = findAnswer(table, error) ?? { status: 500, code: "internal-error" };
    if (reply.raw.destroyed || reply.raw.headersSent) return void reply.hijack();
    if (answer.status >= 500 && !answer.isLoggedElsewhere)
      request.log.error({ err: error, requestId: request.id }, "request_failed");
    const isKnown = error instanceof Error && findAnswer(table, error) !== undefined;
    const message = isKnown
      ? (answer.message ?? error.message)
      : `internal error; the log has it under request ${request.id}`;
    const body = Buffer.from(JSON.stringify({ code: answer.code, message }));
    const wait = error instanceof Error && "retryAfterSeconds" in error ? error.retryAfterSeconds : undefined;
    if (wait !== undefined) reply.header("retry-after", String(wait));
    reply.code(answer.status).header("content-type", mediaType).header("x-content-type-options", "nosniff").send(body);
  };
}

/** Refusals of Fastify itself in the kernel's words. */
function asRequestError(error: unknown): unknown {
  const status = (error as Partial<FastifyError> | undefined)?.statusCode;
  const code = status === undefined ? undefined : fastifyRefusals.get(status);
  return code === undefined ? error : new RequestError(code, (error as Error).message, { cause: error });
}

const fastifyRefusals: ReadonlyMap<number, RequestErrorCode> = new Map([
  [400, "malformed_request"],
  [404, "unknown_path"],
  [413, "body_too_large"],
  [415, "unsupported_media_type"],
]);

function unknownRequest(operations: readonly BoundOperation[], request: FastifyRequest, reply: FastifyReply): Error {
  const path = request.url.split("?")[0] ?? "";
  const methods = operations.filter((operation) => pathPattern(operation).test(path)).flatMap(methodsOf);
  if (methods.length === 0) return new RequestError("unknown_path", `there is nothing at ${path.slice(0, 200)}`);
  reply.header("allow", methods.join(", "));
  return new RequestError("method_not_allowed", `${path.slice(0, 200)}: expected ${methods.join(" or ")}`);
}

/** What can be got can be asked for without its body. @see https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2 */
function methodsOf({ method }: BoundOperation): readonly string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function pathPattern({ path }: BoundOperation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
