/** What can be wrong with a request before an operation sees it. */
export const requestErrorCodes = [
  "body_too_large",
  "encoding_not_acceptable",
  "expectation_failed",
  "headers_too_large",
  "malformed_request",
  "method_not_allowed",
  "not_acceptable",
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
 * A request that is refused. The message names what was expected, what was found and where.
 * @example
 * throw new RequestError("too_many_requests", "expected at most 10 uploads at once", { retryAfterSeconds: 5 });
 */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: RequestErrorCode;
  /** When to come again; a header of the answer. */
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
  /** What is told in place of the error's own message, which is for the log. */
  readonly message?: string;
  /** Whether something else logs errors of the kind, once and not for each request. */
  readonly isLoggedElsewhere?: boolean;
}

/** Answers by the error's `name`, then by its `code`. What is not in the table is an internal error: 500, and only the log knows. */
export type ErrorTable = Readonly<Record<string, Readonly<Partial<Record<string, ErrorAnswer>>>>>;

/**
 * The answer to an error, or undefined for one that the table does not know.
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
