import type { FastifyError } from "fastify";
import type { SendError } from "../api.ts";
import { isClientGone } from "../client-gone.ts";
import { type ErrorAnswer, type ErrorTable, findAnswer, RequestError, type RequestErrorCode } from "../errors.ts";
import type { DocumentFace } from "./document-face.ts";

/** The responses to the kernel's own errors. Errors without a response have the code `internal-error`. */
export const requestErrorAnswers: Readonly<Record<RequestErrorCode, ErrorAnswer>> = {
  malformed_request: { status: 400, code: "bad-request" },
  unknown_path: { status: 404, code: "not-found" },
  method_not_allowed: { status: 405, code: "method-not-allowed" },
  precondition_failed: { status: 412, code: "precondition-failed" },
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

/** Sends errors as documents with a code and a message, by the API's table. */
export function documentErrors({ errors, mediaTypes }: Pick<DocumentFace, "errors" | "mediaTypes">): SendError {
  const table: ErrorTable = { RequestError: requestErrorAnswers, ...errors };
  const [mediaType = "application/json"] = mediaTypes("error");
  return (thrown, request, reply) => {
    const error = asRequestError(thrown);
    const answer = findAnswer(table, error) ?? { status: 500, code: "internal-error" };
    if (isClientGone(reply.raw) || reply.raw.headersSent) return void reply.hijack();
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

/** Converts Fastify's own errors to a `RequestError`; other errors are returned unchanged. */
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
