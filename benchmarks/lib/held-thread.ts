/** The time of some work. */
export interface Timing {
  readonly tookMs: number;
  /** Processor time of the thread, without that of a database server. */
  readonly cpuMs: number;
  /**
   * The longest time for which the thread was blocked: the processor time that it used between two turns of a timer. Unlike elapsed time,
   * it does not grow with the load of other programs.
   */
  readonly heldMs: number;
}

/** Measures some work and how long it blocked the thread. */
export async function timed(work: () => Promise<void>): Promise<Timing> {
  let heldUs = 0;
  let before = usedUs();
  const note = () => {
    const now = usedUs();
    heldUs = Math.max(heldUs, now - before);
    before = now;
  };
  await nextTurn();
  const timer = setInterval(note, 1);
  const startedAt = performance.now();
  try {
    const usedBefore = usedUs();
    before = usedBefore;
    await work();
    const tookMs = performance.now() - startedAt;
    note();
    return { tookMs, cpuMs: (before - usedBefore) / 1000, heldMs: heldUs / 1000 };
  } finally {
    clearInterval(timer);
  }
}

/**
 * The minimum of some rounds, because other load can only increase the times; for processor time the mean, because some systems count it
 * in coarse ticks.
 */
export async function best(rounds: number, work: () => Promise<void>): Promise<Timing> {
  let least: Timing = { tookMs: Infinity, cpuMs: 0, heldMs: Infinity };
  for (let round = 0; round < rounds; round++) {
    const { tookMs, cpuMs, heldMs } = await timed(work);
    least = {
      tookMs: Math.min(tookMs, least.tookMs),
      cpuMs: least.cpuMs + cpuMs / rounds,
      heldMs: Math.min(heldMs, least.heldMs),
    };
  }
  return least;
}

function usedUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
