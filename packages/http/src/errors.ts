/** The codes of errors of requests, found before an operation runs. */
export const requestErrorCodes = [
  "body_too_large",
  "encoding_not_acceptable",
  "expectation_failed",
  "headers_too_large",
  "malformed_request",
  "method_not_allowed",
  "not_acceptable",
  "precondition_failed",
  "request_timed_out",
  "too_many_requests",
  "unauthorized",
  "unavailable",
  "unknown_path",
  "unsupported_media_type",
] as const;

/** One of {@link requestErrorCodes}. */
export type RequestErrorCode = (typeof requestErrorCodes)[number];

/**
 * A rejected request. The message says what was expected, what was found and where.
 * @example
 * throw new RequestError("too_many_requests", "expected at most 10 uploads at once", { retryAfterSeconds: 5 });
 */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: RequestErrorCode;
  /** When to repeat the request; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;

  constructor(
    code: RequestErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.code = code;
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The response to an error. */
export interface ErrorAnswer {
  readonly status: number;
  /** The `code` of the body. */
  readonly code: string;
  /** The message for the client instead of the error's own one, which is for the log. */
  readonly message?: string;
  /** Whether other code logs such errors, once instead of for each request. */
  readonly isLoggedElsewhere?: boolean;
}

/** Responses by the error's `name`, then by its `code`. Other errors are internal: the response is 500, and only the log has details. */
export type ErrorTable = Readonly<Record<string, Readonly<Partial<Record<string, ErrorAnswer>>>>>;

/**
 * The response to an error; undefined if the table has none.
 * @example
 * const table: ErrorTable = { RequestError: { unavailable: { status: 503, code: "unavailable" } } };
 * findAnswer(table, new RequestError("unavailable", "the service stops"))?.status; // 503
 * findAnswer(table, new Error("a mistake of ours")); // undefined
 */
export function findAnswer(table: ErrorTable, error: unknown): ErrorAnswer | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  const codes = Object.hasOwn(table, error.name) ? table[error.name] : undefined;
  return codes !== undefined && Object.hasOwn(codes, error.code) ? codes[error.code] : undefined;
}
