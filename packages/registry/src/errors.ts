/** The error codes of the management API. Each has a description at `/api/v1/error/<code>`. */
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

/** Options of a {@link RegistryError}. */
export interface RegistryErrorOptions {
  readonly cause?: unknown;
  /** What the error is about, for programs. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  /** See {@link notInList}. */
  readonly isInList?: true;
}

/**
 * Something cannot be done as the caller wants it. The message is for the caller. Each protocol has a table that turns the codes into responses.
 * @example
 * throw new RegistryError("invalid_request", "Expected a number of tags", { details: { parameter: "limit" } });
 */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly code: RegistryErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  readonly isInList?: true;

  constructor(code: RegistryErrorCode, message: string, options: RegistryErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    if (options.isInList) this.isInList = true;
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * The error `invalid_request`: the request cannot be carried out as it was sent.
 * @example
 * invalidRequest("Expected a number of tags").code; // "invalid_request"
 */
export function invalidRequest(message: string): RegistryError {
  return new RegistryError("invalid_request", message);
}

/**
 * The error `not_found`: something does not exist, or is hidden from the caller.
 * @param message the missing thing and a remedy; the same text whether it is missing or hidden from the caller
 */
export function notFound(message: string): RegistryError {
  return new RegistryError("not_found", message);
}

/**
 * The error `not_found` for one of a list that the caller may read. Protocols say how.
 * @example
 * notInList("The repository has no build with that id").isInList; // true
 */
export function notInList(message: string): RegistryError {
  return new RegistryError("not_found", message, { isInList: true });
}

/** The error of operations that send mail, in a registry without a mail server. */
export function noMail(): RegistryError {
  return notFound("This registry does not send mail: set smtpUrl to a mail server");
}
