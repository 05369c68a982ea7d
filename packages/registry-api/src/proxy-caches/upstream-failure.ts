import type { ScanError } from "@plimsoll/core";
import { DistributionError } from "../distribution/distribution-error.ts";
import { UpstreamLimited, UpstreamObjectFailed } from "../ports/upstreams.ts";
import { scopeOf } from "./upstream-pauses.ts";

/** The `Retry-After` for clients, if the other registry does not name a time. */
const retrySeconds = { failed: 5, limited: 60 } as const;

/**
 * The error that a client gets for a failure of the other registry: 429 while it limits the rate of requests, 503 if another request may
 * succeed later, `unknown` if it does not have the object or refuses it, and otherwise 502.
 */
export function upstreamFailure(
  error: ScanError,
  unknown: "MANIFEST_UNKNOWN" | "BLOB_UNKNOWN" = "MANIFEST_UNKNOWN",
): DistributionError {
  if (error instanceof UpstreamLimited) {
    const { retryAfterSeconds = retrySeconds.limited } = error;
    const headers = { "retry-after": String(retryAfterSeconds) };
    return new DistributionError("TOOMANYREQUESTS", error.message, { headers, cause: error });
  }
  if (scopeOf(error) !== "request") {
    const { retryAfterSeconds = retrySeconds.failed } = error instanceof UpstreamObjectFailed ? error : {};
    const headers = { "retry-after": String(retryAfterSeconds) };
    return new DistributionError("UNKNOWN", error.message, { status: 503, headers, cause: error });
  }
  if (error.code === "not_found" || error.code === "unauthorized" || error.code === "not_permitted") {
    return new DistributionError(unknown, error.message, { cause: error });
  }
  return new DistributionError("UNKNOWN", error.message, { status: 502, cause: error });
}
