import { channel } from "node:diagnostics_channel";
import { cooperativeYield } from "../cooperative-yield.ts";
import { isInBackground } from "../in-background.ts";

/** The right to write to an SQLite file, until it is released. */
export interface WriterTurn {
  /** Notes a statement that is run in this turn, for those who watch {@link writerTurns}. */
  note(text: string): void;
  /** Lets the next caller in. */
  release(): void;
}

/** What the channel {@link writerTurns} tells of a turn that is over. */
export interface EndedWriterTurn {
  readonly isBackground: boolean;
  /** How long the caller waited for the turn. */
  readonly waitedMs: number;
  /** How long all others waited for its end. */
  readonly heldMs: number;
  /** The texts of its statements, in their order. */
  readonly statements: readonly string[];
}

/** A channel of Node's `diagnostics_channel` that tells of each {@link EndedWriterTurn} of this process. */
export const writerTurns = "plimsoll.store.writer-turn";
const endedTurns = channel(writerTurns);

/** So many turns of clients pass while background work waits; then it has one. */
const clientTurnsBetween = 8;

/**
 * Who writes to an SQLite file: one caller of this process at a time. Callers get the file in the order in which they asked, but writes
 * that clients wait for go before those of background work ({@link isInBackground}).
 */
export class WriterQueue {
  readonly #clients: Waiting[] = [];
  readonly #background: Waiting[] = [];
  /** Turns that are over in microtasks would keep requests from being read. */
  readonly #letOthersWork = cooperativeYield();
  #isHeld = false;
  #clientTurns = 0;

  /** Waits for the file. */
  async acquire(): Promise<WriterTurn> {
    const isBackground = isInBackground();
    const askedMs = performance.now();
    if (this.#isHeld) {
      const { promise, resolve } = Promise.withResolvers<void>();
      (isBackground ? this.#background : this.#clients).push(resolve);
      await promise;
    }
    this.#isHeld = true;
    return this.#begin({ isBackground, askedMs });
  }

  #begin({ isBackground, askedMs }: { readonly isBackground: boolean; readonly askedMs: number }): WriterTurn {
    const begunMs = performance.now();
    const statements: string[] = [];
    return {
      note: (text) => {
        if (endedTurns.hasSubscribers) statements.push(text);
      },
      release: () => {
        this.#handOver();
        if (!endedTurns.hasSubscribers) return;
        const [waitedMs, heldMs] = [begunMs - askedMs, performance.now() - begunMs];
        endedTurns.publish({ isBackground, waitedMs, heldMs, statements } satisfies EndedWriterTurn);
      },
    };
  }

  /** The file stays held while others work: the next caller has it already. */
  #handOver(): void {
    const next = this.#next();
    if (next === undefined) this.#isHeld = false;
    else void this.#letOthersWork().then(next);
  }

  #next(): Waiting | undefined {
    const isBackgroundDue = this.#clients.length === 0 || this.#clientTurns >= clientTurnsBetween;
    const background = isBackgroundDue ? this.#background.shift() : undefined;
    this.#clientTurns = background === undefined && this.#background.length > 0 ? this.#clientTurns + 1 : 0;
    return background ?? this.#clients.shift();
  }
}

/** Lets a caller begin its turn. */
type Waiting = () => void;
