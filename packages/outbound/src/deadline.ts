import { ScanError } from "@plimsoll/core";

/** A bound on how long something may take, joined with the caller's own signal. */
export interface Deadline {
  /** Ends what is bounded. */
  readonly signal: AbortSignal;
  /**
   * @throws ScanError `aborted` or `timed_out` when the error only tells that the signal ended something.
   */
  throwIfEnded(error: unknown): void;
}

/**
 * Starts the clock.
 * @param what is bounded, for messages
 * @example
 * declare const outbound: Outbound;
 * const deadline = startDeadline(60_000, "the download");
 * try {
 *   await outbound.send({ url: new URL("https://example.com/"), signal: deadline.signal });
 * } catch (error) {
 *   deadline.throwIfEnded(error);
 *   throw error;
 * }
 */
export function startDeadline(timeoutMs: number, what: string, signal?: AbortSignal): Deadline {
  const timeout = AbortSignal.timeout(timeoutMs);
  return {
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    throwIfEnded: (cause) => {
      if (signal?.aborted === true) throw new ScanError("aborted", `${what} was cancelled`, { cause });
      if (timeout.aborted) throw new ScanError("timed_out", `${what} took longer than ${timeoutMs} ms`, { cause });
    },
  };
}
