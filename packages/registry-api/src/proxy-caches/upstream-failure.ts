import type { ScanError } from "@plimsoll/core";
import { UpstreamLimited, UpstreamObjectFailed } from "@plimsoll/registry/ports/upstreams";
import { DistributionError } from "../distribution/distribution-error.ts";
import { pauseMs, scopeOf } from "./upstream-pauses.ts";

/** The `Retry-After` for clients if the other registry does not name a time, and at most: after that, it is requested again. */
const retrySeconds = { usual: pauseMs.failed / 1000, longest: pauseMs.longest / 1000 } as const;

/**
 * The error that a client gets for a failure of the other registry: 429 while it limits the rate of requests, 503 if another request may
 * succeed later, `unknown` if it does not have the object or refuses it, and otherwise 502.
 */
export function upstreamFailure(
  error: ScanError,
  unknown: "MANIFEST_UNKNOWN" | "BLOB_UNKNOWN" = "MANIFEST_UNKNOWN",
): DistributionError {
  if (error instanceof UpstreamLimited) {
    return new DistributionError("TOOMANYREQUESTS", error.message, { headers: retryAfter(error), cause: error });
  }
  if (scopeOf(error) !== "request") {
    const headers = retryAfter(error instanceof UpstreamObjectFailed ? error : {});
    return new DistributionError("UNKNOWN", error.message, { status: 503, headers, cause: error });
  }
  if (error.code === "not_found" || error.code === "unauthorized" || error.code === "not_permitted") {
    return new DistributionError(unknown, error.message, { cause: error });
  }
  return new DistributionError("UNKNOWN", error.message, { status: 502, cause: error });
}

function retryAfter({ retryAfterSeconds = retrySeconds.usual }: { readonly retryAfterSeconds?: number | undefined }) {
  return { "retry-after": String(Math.min(retrySeconds.longest, retryAfterSeconds)) };
}
