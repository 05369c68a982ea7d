import type { FastifyError } from "fastify";
import { RequestError, type RequestErrorCode } from "./errors.ts";

/** Converts Fastify's own errors to a `RequestError`; other errors are returned unchanged. */
export function asRequestError(error: unknown): unknown {
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
