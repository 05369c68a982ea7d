import { isClientGone, RequestError } from "@plimsoll/http";
import { invalidRequest, RegistryError } from "@plimsoll/registry/errors";
import { BlobStoreError, blobStoreRetrySeconds } from "@plimsoll/registry/ports/blob-store";
import { refusalOfConflict } from "@plimsoll/registry/store/conflicts";
import { cannotUse, cannotWrite, publicMessage, type StoreError } from "@plimsoll/store";
import type { FastifyError, FastifyRequest } from "fastify";
import { isKnownOutage } from "./known-outage.ts";

/** The part of a failed request that the log needs. */
type FailedRequest = Pick<FastifyRequest, "id" | "log" | "raw">;

/**
 * Turns any thrown value into the error that the client gets. Unexpected failures get a general message; only the log of the server has
 * the reason.
 */
export function thrownError(thrown: unknown, request: FailedRequest): RegistryError {
  return refusalOf(thrown) ?? failureOf(thrown, request);
}

function refusalOf(thrown: unknown): RegistryError | undefined {
  if (thrown instanceof RegistryError) return thrown;
  if (thrown instanceof RequestError) return requestRefusal(thrown);
  const conflict = refusalOfConflict(thrown);
  if (conflict !== undefined) return conflict;
  const { statusCode = 500, message = "Malformed request" } = thrown as Partial<FastifyError>;
  if (statusCode === 413) return new RegistryError("too_large", message, { cause: thrown });
  return statusCode < 500 ? invalidRequest(message) : undefined;
}

function requestRefusal({ code, message, retryAfterSeconds }: RequestError): RegistryError {
  if (code === "too_many_requests" || code === "unavailable") {
    return new RegistryError(code, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  }
  return code === "unsupported_media_type" ? new RegistryError(code, message) : invalidRequest(message);
}

function failureOf(cause: unknown, { id, log, raw }: FailedRequest): RegistryError {
  if (!isKnownOutage(cause) && !isClientGone(raw)) log.error({ err: cause, requestId: id }, "request_failed");
  if (cannotUse(cause)) return unavailable(cause);
  if (cause instanceof BlobStoreError && cause.code === "unavailable") return withoutBlobs(cause);
  return new RegistryError("internal_error", `Internal error; the log has it under request ${id}`, { cause });
}

/** Details of an unavailable blob store are only logged, because they may contain keys. */
function withoutBlobs(cause: BlobStoreError): RegistryError {
  const message = "the blob store cannot be used at the moment: try again later";
  return new RegistryError("unavailable", message, { cause, retryAfterSeconds: blobStoreRetrySeconds });
}

function unavailable(cause: StoreError): RegistryError {
  const { retryAfterSeconds = blobStoreRetrySeconds } = cause;
  const code = cannotWrite(cause) ? "read_only" : "unavailable";
  return new RegistryError(code, publicMessage(cause), { cause, retryAfterSeconds });
}
