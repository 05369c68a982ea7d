import { ScanError } from "@plimsoll/core";
import { FailedElsewhere } from "@plimsoll/outbound";

/** An answer or a broken connection that ended an attempt. */
export class HttpFailure extends Error {
  readonly error: ScanError;
  /** Whether the same request may succeed later. */
  readonly mayPass: boolean;
  /** What the server asked us to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(error: ScanError, mayPass: boolean, retryAfterSeconds?: number) {
    super(error.message, { cause: error });
    this.error = error;
    this.mayPass = mayPass;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Answers that say "not now". */
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

const statusCodes = { 401: "unauthorized", 403: "not_permitted", 404: "not_found", 410: "not_found" } as const;

/** The failure that an answer's status is. */
export function statusFailure(url: URL, status: number, retryAfter: string | undefined): HttpFailure {
  const code = statusCodes[status as keyof typeof statusCodes] ?? "feed_unreachable";
  const seconds = Number(retryAfter ?? Number.NaN);
  return new HttpFailure(
    new ScanError(code, `${url.href} answered ${status}`),
    passingStatuses.has(status),
    Number.isFinite(seconds) ? seconds : undefined,
  );
}

/** Broken connections and streams that end early, as Node, undici and zlib call them. */
const passingErrors: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EPIPE", "ETIMEDOUT"],
  ...["UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_SOCKET"],
  ...["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "ERR_STREAM_PREMATURE_CLOSE", "Z_BUF_ERROR"],
]);

/** The failure that a thrown error is; our own errors are final. */
export function thrownFailure(url: URL, cause: unknown): HttpFailure {
  if (cause instanceof HttpFailure) return cause;
  if (cause instanceof ScanError) return new HttpFailure(cause, false);
  const thrown = cause instanceof FailedElsewhere ? cause.cause : cause;
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const reason = code || (thrown instanceof Error ? thrown.message : String(thrown));
  const place = cause instanceof FailedElsewhere ? `${url.href}, which leads to ${cause.host}` : url.href;
  const error = new ScanError("feed_unreachable", `cannot fetch ${place}: ${reason}`, { cause });
  return new HttpFailure(error, passingErrors.has(code));
}
