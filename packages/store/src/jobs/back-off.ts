/** How long failed attempts wait. */
export interface BackOff {
  /** After the first failure; doubles with each further one. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Five seconds, doubling, at most an hour. */
export const usualBackOff: BackOff = { firstMs: 5_000, longestMs: 3_600_000 };

/**
 * How long to wait after so many failed attempts, in milliseconds: half of it fixed, half of it chance, so that what
 * failed together does not come back together.
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

/** An interval made up to a tenth shorter or longer. */
export function spreadMs(everyMs: number, random: number): number {
  return Math.round(everyMs * (0.9 + random * 0.2));
}
