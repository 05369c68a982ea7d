import type { ScanError } from "@plimsoll/core";
import { ContentError } from "../../content-error.ts";
import { UpstreamLimited, UpstreamObjectFailed } from "../../ports/upstreams.ts";
import { pauseMs, scopeOf } from "./upstream-pauses.ts";

/** The `Retry-After` for clients if the other registry does not name a time, and at most: after that, it is requested again. */
const retrySeconds = { usual: pauseMs.failed / 1000, longest: pauseMs.longest / 1000 } as const;

/**
 * The error for a failure of the other registry: it limits the rate of requests, another request may succeed later, it does not have the object or
 * refuses it (`unknown`), or it failed otherwise.
 */
export function upstreamFailure(
  error: ScanError,
  unknown: "manifest_unknown" | "blob_unknown" = "manifest_unknown",
): ContentError {
  const { message } = error;
  if (error instanceof UpstreamLimited)
    return new ContentError("upstream_limited", message, { retryAfterSeconds: retryAfter(error), cause: error });
  if (scopeOf(error) !== "request") {
    const retryAfterSeconds = retryAfter(error instanceof UpstreamObjectFailed ? error : {});
    return new ContentError("upstream_unavailable", message, { retryAfterSeconds, cause: error });
  }
  const isUnknown = error.code === "not_found" || error.code === "unauthorized" || error.code === "not_permitted";
  return new ContentError(isUnknown ? unknown : "upstream_failed", message, { cause: error });
}

function retryAfter({ retryAfterSeconds = retrySeconds.usual }: { readonly retryAfterSeconds?: number }): number {
  return Math.min(retrySeconds.longest, retryAfterSeconds);
}
