/** Work that takes turns: each turn of the event loop lets one piece of it run. */
class TurnQueue {
  readonly #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(this.#runOne);
    });
  }

  readonly #runOne = () => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#runOne);
  };
}

/**
 * The queues of this thread. Each turn of the event loop lets one piece of each queue run, so that requests wait for one slice of long work, one
 * short read and one long body, however many are under way. The state is that of the module, since a thread has one event loop.
 */
const [longWork, shortReads, longBodies] = [new TurnQueue(), new TurnQueue(), new TurnQueue()];

/** Waits for the next slice: until other events have been handled, and the work that asked before has had its slices. */
export function nextSlice(): Promise<void> {
  return longWork.next();
}

/**
 * As {@link nextSlice}, before one of the many short reads of a long body. They do not wait for slices of long work. SQLite reads without
 * waiting, so that bodies that systems take at once would otherwise be read to their ends, one after the other, before the next event.
 * @example
 * declare function readPiece(at: number): Promise<Uint8Array>;
 *
 * async function* pieces() {
 *   for (let at = 0; at < 100; at++) {
 *     await nextShortRead();
 *     yield await readPiece(at);
 *   }
 * }
 */
export function nextShortRead(): Promise<void> {
  return shortReads.next();
}

/** Shorter bodies are joined, decoded and parsed in less than a millisecond. */
const shortBodyBytes = 64 * 1024;

/**
 * Waits until a long body, or another long text of a request, may be processed: one in each turn of the event loop. When several have arrived at
 * once, others are answered between them. A short one does not wait.
 * @example
 * declare const chunks: readonly Uint8Array[];
 * await turnOfBody(8_000_000);
 * const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
 */
export async function turnOfBody(bytes: number): Promise<void> {
  if (bytes > shortBodyBytes) await longBodies.next();
}
