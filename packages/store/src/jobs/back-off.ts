/** The pauses after failed attempts. */
export interface BackOff {
  /** The pause after the first failure; it doubles with each further one. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Five seconds, doubling, at most an hour. */
export const usualBackOff: BackOff = { firstMs: 5_000, longestMs: 3_600_000 };

/**
 * The pause after a number of failed attempts, in milliseconds. Half of it is fixed and half random, so that jobs that failed together are
 * not retried together.
 * @param random from 0 to below 1
 * @example
 * backOffMs(1, 0); // 2500
 * backOffMs(3, 0.5); // 15000
 * backOffMs(1, 0, { firstMs: 100, longestMs: 1_000 }); // 50
 */
export function backOffMs(attempts: number, random: number, { firstMs, longestMs }: BackOff = usualBackOff): number {
  const wholeMs = Math.min(longestMs, firstMs * 2 ** (attempts - 1));
  return Math.round(wholeMs * (0.5 + random / 2));
}

/** An interval, randomly shortened or extended by up to a tenth. */
export function spreadMs(everyMs: number, random: number): number {
  return Math.round(everyMs * (0.9 + random * 0.2));
}
