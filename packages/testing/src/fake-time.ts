/** Time that passes only with {@link FakeTime.advance}, and without randomness. */
export interface FakeTime {
  readonly clock: { now(): number };
  /** Always 0.5. */
  readonly random: () => number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Lets time pass, and ends the sleeps whose time is over. */
  advance(durationMs: number): void;
  /** The number of current sleeps. */
  readonly sleepers: number;
}

/** Fake time that begins at `startAt`, in epoch milliseconds. */
export function fakeTime(startAt = 1_700_000_000_000): FakeTime {
  let now = startAt;
  const sleeping = new Map<() => void, number>();
  return {
    clock: { now: () => now },
    random: () => 0.5,
    sleep: (delayMs, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = () => {
        sleeping.delete(wake);
        resolve();
      };
      if (signal.aborted) resolve();
      else sleeping.set(wake, now + delayMs);
      signal.addEventListener("abort", wake, { once: true });
      return promise;
    },
    advance(durationMs) {
      now += durationMs;
      for (const [wake, at] of [...sleeping]) if (at <= now) wake();
    },
    get sleepers() {
      return sleeping.size;
    },
  };
}
