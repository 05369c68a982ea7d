import { ScanError } from "@plimsoll/core";
import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import { FailedElsewhere, type OutboundResponse, ResponseFailure } from "@plimsoll/outbound";

/** A response with an error status. */
export class RefusedDocument extends Error {
  override readonly name = "RefusedDocument";
  /** The address of the response, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: OutboundResponse["headers"];

  constructor({ url, status, headers }: OutboundResponse) {
    super(`${withoutCredentials(url.href)} answered ${status}`);
    this.url = url;
    this.status = status;
    this.headers = headers;
  }
}

const statusCodes = { 401: "unauthorized", 403: "not_permitted", 404: "not_found", 410: "not_found" } as const;

/** Translates the error of the last attempt to a ScanError. */
export function toScanError(url: URL, cause: unknown): ScanError {
  if (cause instanceof ScanError) return cause;
  if (cause instanceof RefusedDocument) {
    const code = statusCodes[cause.status as keyof typeof statusCodes] ?? "feed_unreachable";
    return new ScanError(code, cause.message, { cause });
  }
  const thrown = cause instanceof FailedElsewhere ? cause.cause : cause;
  const reason = thrown instanceof ResponseFailure ? thrown.found : reasonOf(thrown);
  const place =
    cause instanceof FailedElsewhere
      ? `${withoutCredentials(url.href)}, which leads to ${cause.host}`
      : withoutCredentials(url.href);
  return new ScanError("feed_unreachable", `cannot fetch ${place}: ${reason}`, { cause });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ("code" in error && String(error.code)) || error.message;
}
