/**
 * The codes of the protocol and the status of each.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#error-codes
 */
export const distributionStatuses = {
  BLOB_UNKNOWN: 404,
  BLOB_UPLOAD_INVALID: 400,
  BLOB_UPLOAD_UNKNOWN: 404,
  DENIED: 403,
  DIGEST_INVALID: 400,
  INVALID_REQUEST: 400,
  MANIFEST_BLOB_UNKNOWN: 400,
  MANIFEST_INVALID: 400,
  MANIFEST_UNKNOWN: 404,
  NAME_INVALID: 400,
  NAME_UNKNOWN: 404,
  PRECONDITION_FAILED: 412,
  RANGE_INVALID: 416,
  SIZE_INVALID: 400,
  TAG_INVALID: 400,
  TOOMANYREQUESTS: 429,
  TOO_MANY_TAGS_REQUESTED: 414,
  UNAUTHORIZED: 401,
  UNKNOWN: 500,
  UNSUPPORTED: 405,
} as const;

/** One of {@link distributionStatuses}. */
export type DistributionErrorCode = keyof typeof distributionStatuses;

/** Options of a {@link DistributionError}. */
export interface DistributionErrorOptions {
  readonly cause?: unknown;
  /** The status, if it differs from that of the code. */
  readonly status?: number;
  /** Whether the registry is read-only: the body then has `is_readonly`. */
  readonly isReadOnly?: boolean;
  /** Becomes `detail`. */
  readonly detail?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error response of the protocol. The message is for the caller. */
export class DistributionError extends Error {
  override readonly name = "DistributionError";
  readonly code: DistributionErrorCode;
  readonly status: number;
  readonly detail: unknown;
  readonly isReadOnly: boolean;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: DistributionErrorCode, message: string, options: DistributionErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? distributionStatuses[code];
    this.detail = options.detail;
    this.isReadOnly = options.isReadOnly ?? false;
    this.headers = options.headers ?? {};
  }

  /** The body of the response. */
  toJSON(): unknown {
    const { code, message, detail, isReadOnly } = this;
    const errors = [{ code, message, detail }];
    return { errors, is_readonly: isReadOnly ? true : undefined };
  }
}
