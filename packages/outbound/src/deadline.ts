import { ScanError } from "@plimsoll/core";

/** A time limit for some work, combined with the caller's signal. */
export interface Deadline {
  /** Aborted when the time is over, or by the caller. */
  readonly signal: AbortSignal;
  /**
   * Replaces an error that the signal may have caused.
   * @throws ScanError `aborted` if the caller has aborted, `timed_out` if the time is over
   */
  throwIfEnded(error: unknown): void;
}

/**
 * Starts a deadline.
 * @param what the name of the work in messages
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
