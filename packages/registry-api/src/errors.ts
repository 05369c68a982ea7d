/** What the registry refuses, as the codes of its API. Each has a description at `/api/v1/error/<code>`. */
export const registryErrorCodes = [
  "downstream_issue",
  "exceeds_license",
  "expired_token",
  "external_service_timeout",
  "fresh_login_required",
  "insufficient_scope",
  "internal_error",
  "invalid_request",
  "invalid_response",
  "invalid_token",
  "not_found",
  "precondition_failed",
  "read_only",
  "tag_immutable",
  "token_rotation_failed",
  "too_large",
  "too_many_requests",
  "unavailable",
  "unsupported_media_type",
] as const;

/** One of {@link registryErrorCodes}. */
export type RegistryErrorCode = (typeof registryErrorCodes)[number];

/** What an error may say besides its message. */
export interface RegistryErrorOptions {
  readonly cause?: unknown;
  /** Further members of the answer. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
}

/**
 * A rule of the registry that a request breaks. The message is for the caller.
 * @example
 * throw new RegistryError("invalid_request", "Expected a number of tags", { details: { parameter: "limit" } });
 */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly code: RegistryErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;

  constructor(code: RegistryErrorCode, message: string, options: RegistryErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * A request that cannot be done as it is.
 * @example
 * invalidRequest("Expected a number of tags").code; // "invalid_request"
 */
export function invalidRequest(message: string): RegistryError {
  return new RegistryError("invalid_request", message);
}

/**
 * Something that is not there, or not for the caller.
 * @param message what is missing, and what to do; the same whether it is missing or hidden from the caller
 */
export function notFound(message: string): RegistryError {
  return new RegistryError("not_found", message);
}

/** What needs mail in a registry that sends none. */
export function noMail(): RegistryError {
  return notFound("This registry does not send mail: set smtpUrl to a mail server");
}
