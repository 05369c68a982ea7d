import type { ScanError } from "@plimsoll/core";
import { DistributionError } from "../distribution/distribution-error.ts";
import { UpstreamLimited } from "../ports/upstreams.ts";
import { isOutage } from "./ask-upstream.ts";

/** After how many seconds a client is told to try again, where the other registry does not say. */
const retrySeconds = { failed: 5, limited: 60 } as const;

/**
 * What a client is told of a failure of the other registry: 429 while it limits us, 503 while it cannot be used, 502 where what it sent is
 * wrong, and otherwise that there is no such image.
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
