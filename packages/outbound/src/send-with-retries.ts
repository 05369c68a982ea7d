import { discardBody } from "./limit-body.ts";
import type { OutboundResponse } from "./outbound-response.ts";
import {
  Attempts,
  isPassingError,
  isPassingStatus,
  parseRetryAfter,
  type RetryAdvice,
  type RetryPolicy,
} from "./retry.ts";

/** Options of {@link sendWithRetries}. */
export interface SendingAgain {
  readonly retry: RetryPolicy;
  readonly signal?: AbortSignal | undefined;
  /** Epoch milliseconds, for a `Retry-After` that is a date; by default the system's clock. */
  readonly now?: (() => number) | undefined;
  /** Whether an error of the network is transient; by default {@link isPassingError}. */
  readonly isPassing?: (error: unknown) => boolean;
}

/**
 * Sends a request, and repeats it if its connection breaks or the status is transient. Returns the last response, whatever its status.
 * @param send one attempt
 * @throws the error of the last attempt; the reason of the signal if it is aborted
 *
 * @example
 * declare const outbound: Outbound;
 * const url = new URL("https://example.com/");
 * const retry = { attempts: 3, firstDelayMs: 500, maxDelayMs: 5_000, maxRetryAfterMs: 60_000, ...retryClock };
 * const response = await sendWithRetries(() => outbound.send({ url }), { retry });
 */
export async function sendWithRetries(
  send: () => Promise<OutboundResponse>,
  { retry, signal, now = Date.now, isPassing = isPassingError }: SendingAgain,
): Promise<OutboundResponse> {
  const attempts = new Attempts(retry, signal);
  for (;;) {
    let response: OutboundResponse;
    try {
      response = await send();
    } catch (error) {
      await attempts.pauseAfter(error, { isPassing: isPassing(error) });
      continue;
    }
    if (!(await attempts.pause(adviceOf(response, now()), () => discardBody(response)))) return response;
  }
}

/**
 * The retry advice of a response: by its status and `Retry-After`.
 * @example
 * adviceOf({ status: 200, headers: {} }, 0).isPassing; // false
 */
export function adviceOf(
  { status, headers }: Pick<OutboundResponse, "status" | "headers">,
  nowAt: number,
): RetryAdvice {
  const asked = headers["retry-after"];
  const retryAfterMs = typeof asked === "string" ? parseRetryAfter(asked, nowAt) : undefined;
  return { isPassing: isPassingStatus(status), retryAfterMs };
}
