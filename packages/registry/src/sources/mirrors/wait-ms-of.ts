import { UpstreamLimited } from "../../ports/upstreams.ts";

/** The longest time for which a registry that limits the rate of requests is not asked. */
const longestWaitMs = 86_400_000;

/** For how long the registry that caused an error is not to be asked: milliseconds; 0 if it does not say, or limits nothing. */
export function waitMsOf(error: unknown): number {
  const seconds = error instanceof UpstreamLimited ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.min(seconds * 1000, longestWaitMs);
}
