/** What some work took. */
export interface Timing {
  readonly tookMs: number;
  /** Processor time of the thread; what a database server does is not in it. */
  readonly cpuMs: number;
  /**
   * For how long the thread did nothing else at most: the processor time that it used between two turns of a timer. Unlike time on
   * the clock it does not grow when other programs want the processor.
   */
  readonly heldMs: number;
}

/** Times some work, and how long it held the thread. */
export async function timed(work: () => Promise<void>): Promise<Timing> {
  let heldUs = 0;
  let before = usedUs();
  const note = () => {
    const now = usedUs();
    heldUs = Math.max(heldUs, now - before);
    before = now;
  };
  await aTurn();
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
 * The least of some rounds, for what others do on the machine makes it no less; of processor time the mean, because some systems
 * count it by the tick of a clock.
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

function aTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
