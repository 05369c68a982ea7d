import type { PushedLayer } from "./pushed-layer.ts";

/** What turns are given by. */
export interface ReadingTurnsOptions {
  /** How many layers are read at the same time. */
  readonly atOnce: number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
  /** Ends the reading of a layer that its client has not sent whole: another one needs its turn. */
  readonly giveUp: (layer: PushedLayer) => void;
}

/** How long a layer that is stored waits for one whose bytes are still to come. */
const patienceMs = 1_000;

/**
 * The turns in which layers are read, so many at the same time. A layer that is stored goes first: its image may be waited for. One
 * that is still sent has its turn for as long as its client takes, so where a stored layer waits, the one of which the least came
 * lately gives its turn up.
 */
export class ReadingTurns {
  readonly #options: ReadingTurnsOptions;
  readonly #waiting = new Map<PushedLayer, () => void>();
  /** How many bytes of each had come when it was looked at. */
  readonly #reading = new Map<PushedLayer, number>();
  readonly #closing = new AbortController();
  #isLooking = false;

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

  /** No layer gives its turn up any more. */
  close(): void {
    this.#closing.abort();
  }

  #wait(layer: PushedLayer): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(layer, resolve);
    if (!this.#isLooking) void this.#look();
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

  /** As long as a layer waits, looks now and then whether one that is stored waits for one that is not. */
  async #look(): Promise<void> {
    const { sleep, giveUp } = this.#options;
    const { signal } = this.#closing;
    this.#isLooking = true;
    while (this.#waiting.size > 0 && !signal.aborted) {
      await sleep(patienceMs, signal).catch(() => {}); // closed meanwhile
      const slowest = this.#slowest();
      if (slowest !== undefined && this.#firstStored() !== undefined && !signal.aborted) giveUp(slowest);
    }
    this.#isLooking = false;
  }

  /** The layer of which the least came since it was looked at, of those that are not stored. */
  #slowest(): PushedLayer | undefined {
    let [slowest, least] = [undefined as PushedLayer | undefined, Number.POSITIVE_INFINITY];
    for (const [layer, seen] of this.#reading) {
      const came = layer.passedBytes - seen;
      this.#reading.set(layer, layer.passedBytes);
      if (!layer.isStored && came < least) [slowest, least] = [layer, came];
    }
    return slowest;
  }
}
