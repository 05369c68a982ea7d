import type { PushedLayer } from "./pushed-layer.ts";

/** Options of {@link ReadingTurns}. */
export interface ReadingTurnsOptions {
  /** How many layers are read at once. */
  readonly atOnce: number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
  /** Abandons the reading of a layer that its client is still sending, because another one needs its turn. */
  readonly giveUp: (layer: PushedLayer) => void;
}

/** How long a stored layer waits for a layer that is still being sent. */
const patienceMs = 1_000;

/**
 * A semaphore that limits how many layers are read at once. Stored layers go first, because a push may wait for the scan of their image.
 * A layer that is still being sent occupies its turn as long as its client takes; therefore, while a stored layer waits, the slowest of
 * these layers is abandoned.
 */
export class ReadingTurns {
  readonly #options: ReadingTurnsOptions;
  readonly #waiting = new Map<PushedLayer, () => void>();
  /** The layers that are read, and their passed bytes at the last check. */
  readonly #reading = new Map<PushedLayer, number>();
  readonly #closing = new AbortController();
  #isWatching = false;

  constructor(options: ReadingTurnsOptions) {
    this.#options = options;
  }

  /** Reads a layer when it is its turn. */
  async run(layer: PushedLayer, read: () => Promise<void>): Promise<void> {
    if (this.#reading.size >= this.#options.atOnce) await this.#wait(layer);
    else this.#reading.set(layer, layer.passedBytes);
    try {
      await read();
    } finally {
      this.#reading.delete(layer);
      this.#callNext();
    }
  }

  /** Stops abandoning layers. */
  close(): void {
    this.#closing.abort();
  }

  #wait(layer: PushedLayer): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(layer, resolve);
    if (!this.#isWatching) void this.#watch();
    return promise;
  }

  #callNext(): void {
    const next = this.#firstStored() ?? this.#waiting.keys().next().value;
    if (next === undefined || this.#reading.size >= this.#options.atOnce) return;
    const begin = this.#waiting.get(next);
    this.#waiting.delete(next);
    this.#reading.set(next, next.passedBytes);
    begin?.();
  }

  #firstStored(): PushedLayer | undefined {
    return this.#waiting.keys().find(({ isStored }) => isStored);
  }

  /** As long as layers wait, checks once a second whether a stored one waits for one that is still being sent. */
  async #watch(): Promise<void> {
    const { sleep, giveUp } = this.#options;
    const { signal } = this.#closing;
    this.#isWatching = true;
    while (this.#waiting.size > 0 && !signal.aborted) {
      await sleep(patienceMs, signal).catch(() => {}); // closed meanwhile
      const slowest = this.#slowest();
      if (slowest !== undefined && this.#firstStored() !== undefined && !signal.aborted) giveUp(slowest);
    }
    this.#isWatching = false;
  }

  /** The layer that is still being sent and received the fewest bytes since the last check. */
  #slowest(): PushedLayer | undefined {
    let [slowest, least] = [undefined as PushedLayer | undefined, Number.POSITIVE_INFINITY];
    for (const [layer, seen] of this.#reading) {
      const receivedBytes = layer.passedBytes - seen;
      this.#reading.set(layer, layer.passedBytes);
      if (!layer.isStored && receivedBytes < least) [slowest, least] = [layer, receivedBytes];
    }
    return slowest;
  }
}
