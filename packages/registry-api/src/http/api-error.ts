import type { RegistryErrorCode } from "@plimsoll/registry/errors";
import { type RegistryError, registryErrorCodes } from "@plimsoll/registry/errors";
import { baseUrl, type Origin } from "@plimsoll/registry/settings";
import { Type } from "typebox";

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
export const ApiErrorDescription = Type.Object({
  type: Type.String({ description: "Address of this description" }),
  title: Type.Enum([...registryErrorCodes]),
  description: Type.String(),
});

/** The address of the description of an error code. */
export function errorAddress(origin: Origin, code: RegistryErrorCode): string {
  return `${baseUrl(origin)}/api/v1/error/${code}`;
}

/** The status of the response to an error. */
export function statusOf({ code, status }: RegistryError): number {
  return status ?? errorTypes[code].status;
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
