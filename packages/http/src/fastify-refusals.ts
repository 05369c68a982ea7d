import type { FastifyError } from "fastify";
import { RequestError, type RequestErrorCode } from "./errors.ts";

/** Refusals of Fastify itself in the kernel's words; other errors as they are. */
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
