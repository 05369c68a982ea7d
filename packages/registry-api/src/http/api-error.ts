import { isClientGone, RequestError } from "@plimsoll/http";
import { anyone } from "@plimsoll/registry/access/on-account";
import {
  invalidRequest,
  notFound,
  RegistryError,
  type RegistryErrorCode,
  registryErrorCodes,
} from "@plimsoll/registry/errors";
import { BlobStoreError, blobStoreRetrySeconds } from "@plimsoll/registry/ports/blob-store";
import { baseUrl, type Origin } from "@plimsoll/registry/settings";
import { refusalOfConflict } from "@plimsoll/registry/store/conflicts";
import { cannotUse, cannotWrite, isOutage, publicMessage, type StoreError } from "@plimsoll/store";
import type { FastifyError, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { ErrorWithStatus } from "../error-with-status.ts";
import { operation } from "../operation.ts";

/** The status and the description of an error. */
interface ErrorType {
  readonly status: number;
  readonly description: string;
}

/** The status and the meaning of each error code. */
export const errorTypes: Readonly<Record<RegistryErrorCode, ErrorType>> = {
  downstream_issue: { status: 520, description: "A service that the registry depends on failed; try again later." },
  exceeds_license: { status: 402, description: "The plan of the namespace does not include this." },
  expired_token: { status: 401, description: "The token is past its expiration." },
  external_service_timeout: { status: 520, description: "Another service did not answer in time; try again." },
  fresh_login_required: { status: 401, description: "The operation needs the password once more: verify and repeat." },
  insufficient_scope: { status: 403, description: "The caller, or the scope of the token, does not allow it." },
  internal_error: {
    status: 500,
    description: "The registry failed. Its log has the reason, under the request id in the detail.",
  },
  invalid_request: { status: 400, description: "The request is not valid; the detail gives the reason." },
  invalid_response: { status: 400, description: "The registry could not make a valid response." },
  invalid_token: { status: 401, description: "The request has no credentials, or its token is not valid." },
  not_found: { status: 404, description: "The resource does not exist." },
  precondition_failed: {
    status: 412,
    description: "The resource was changed since it was read: read it again, and repeat the change.",
  },
  read_only: { status: 503, description: "The repository or the registry is read-only at the moment." },
  tag_immutable: { status: 409, description: "The tag is immutable." },
  token_rotation_failed: { status: 500, description: "A token could not be replaced by another." },
  too_large: { status: 413, description: "The request is too large." },
  too_many_requests: { status: 429, description: "Too many requests or failed attempts; wait as the header says." },
  unavailable: {
    status: 503,
    description: "The registry's database or blob store cannot be used at the moment; try again later.",
  },
  unsupported_media_type: { status: 415, description: "The body is of a kind, or encoded in a way, that is not read." },
};

/** The body of every error. */
export const ApiError = Type.Object({
  status: Type.Integer({ description: "Status code of the answer" }),
  type: Type.String({ description: "Address of the description of the error" }),
  title: Type.String({ description: "Code of the error" }),
  detail: Type.Optional(Type.String({ description: "The error in this request" })),
  error_type: Type.Optional(Type.String({ description: "The title, for older clients" })),
  error_message: Type.Optional(Type.String({ description: "The detail, for older clients" })),
});

/** The response of `getErrorDescription`. */
const ApiErrorDescription = Type.Object({
  type: Type.String({ description: "Address of this description" }),
  title: Type.Enum([...registryErrorCodes]),
  description: Type.String(),
});

/** The status of the response to an error. */
export function statusOf(error: RegistryError): number {
  return error instanceof ErrorWithStatus ? error.status : errorTypes[error.code].status;
}

/** The response body of an error. `message` repeats the detail for clients that read it there. */
export function apiErrorBody(error: RegistryError, origin: Origin): Record<string, unknown> {
  const { code, message } = error;
  return {
    ...error.details,
    status: statusOf(error),
    type: errorAddress(origin, code),
    title: code,
    error_type: code,
    detail: message,
    error_message: message,
    message,
  };
}

/** The address of the description of an error code. */
function errorAddress(origin: Origin, code: RegistryErrorCode): string {
  return `${baseUrl(origin)}/api/v1/error/${code}`;
}

const getErrorDescription = operation({
  id: "getErrorDescription",
  method: "GET",
  path: "/error/{error_type}",
  summary: "The meaning of an error code.",
  tag: "error",
  access: anyone,
  success: 200,
  result: ApiErrorDescription,
  resultModel: "ApiErrorDescription",
  async handle({ params }, { request }) {
    const code = registryErrorCodes.find((each) => each === params.error_type);
    if (code === undefined)
      throw notFound(`There is no error code of that name: expected ${registryErrorCodes.join(", ")}`);
    return { type: errorAddress(request.origin, code), title: code, description: errorTypes[code].description };
  },
});

/** The operation that describes error codes. */
export const errorDescriptionOperations = [getErrorDescription];

/**
 * Whether an error is an outage of the database or the blob store. The code that opened them logs an outage once when it begins
 * and once when it ends, and not for each failed request.
 */
export function isKnownOutage(error: unknown): boolean {
  return (
    isOutage(error) || (error instanceof BlobStoreError && (error.code === "unavailable" || error.code === "full"))
  );
}

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
    return new RegistryError(code, message, { retryAfterSeconds });
  }
  const isOwn = code === "unsupported_media_type" || code === "precondition_failed";
  return isOwn ? new RegistryError(code, message) : invalidRequest(message);
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
