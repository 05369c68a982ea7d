/** What may be wrong with an image, a blob or a tag that is pushed, copied or pulled. */
export type ContentErrorCode =
  | "blob_unknown"
  | "digest_invalid"
  | "manifest_invalid"
  | "manifest_needed"
  | "manifest_unknown"
  | "manifest_unsupported"
  | "part_unknown"
  | "quota_exceeded"
  | "repository_unknown"
  | "too_many_tags"
  | "upload_unknown"
  | "upstream_failed"
  | "upstream_limited"
  | "upstream_unavailable";

/** Options of a {@link ContentError}. */
export interface ContentErrorOptions {
  readonly cause?: unknown;
  /** What the error is about, for programs. */
  readonly detail?: unknown;
  /** When the same may succeed. */
  readonly retryAfterSeconds?: number;
}

/**
 * Content is refused, or cannot be had from another registry. The message is for the caller. Each protocol has a table that turns the codes into
 * responses.
 */
export class ContentError extends Error {
  override readonly name = "ContentError";
  readonly code: ContentErrorCode;
  readonly detail: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ContentErrorCode, message: string, options: ContentErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
