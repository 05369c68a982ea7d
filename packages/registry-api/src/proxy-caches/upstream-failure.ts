import type { ScanError } from "@plimsoll/core";
import { DistributionError } from "../distribution/distribution-error.ts";
import { UpstreamLimited } from "../ports/upstreams.ts";
import { isOutage } from "./upstream-breaker.ts";

/** The `Retry-After` for clients, if the other registry does not name a time. */
const retrySeconds = { failed: 5, limited: 60 } as const;

/**
 * The error that a client gets for a failure of the other registry: 429 while it limits the rate of requests, 503 during an outage,
 * `MANIFEST_UNKNOWN` if it does not have the image or refuses it, and otherwise 502.
 */
export function upstreamFailure(error: ScanError): DistributionError {
  if (error instanceof UpstreamLimited) {
    const { retryAfterSeconds = retrySeconds.limited } = error;
    const headers = { "retry-after": String(retryAfterSeconds) };
    return new DistributionError("TOOMANYREQUESTS", error.message, { headers, cause: error });
  }
  if (isOutage(error)) {
    const headers = { "retry-after": String(retrySeconds.failed) };
    return new DistributionError("UNKNOWN", error.message, { status: 503, headers, cause: error });
  }
  if (error.code === "not_found" || error.code === "unauthorized" || error.code === "not_permitted") {
    return new DistributionError("MANIFEST_UNKNOWN", error.message, { cause: error });
  }
  return new DistributionError("UNKNOWN", error.message, { status: 502, cause: error });
}
