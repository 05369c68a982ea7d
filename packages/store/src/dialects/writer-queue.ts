import { channel } from "node:diagnostics_channel";
import { yieldToEvents } from "../cooperative-yield.ts";
import { isInBackground } from "../in-background.ts";

/** The right to write to an SQLite file, until it is released. */
export interface WriterTurn {
  /** Records a statement of this turn, for subscribers of {@link writerTurns}. */
  note(text: string): void;
  /** Gives the right to the next caller. */
  release(): void;
}

/** The message of the channel {@link writerTurns} about an ended turn. */
export interface EndedWriterTurn {
  readonly isBackground: boolean;
  /** How long the caller waited for the turn. */
  readonly waitedMs: number;
  /** How long the caller had the right to write. */
  readonly heldMs: number;
  /** The texts of its statements, in their order. */
  readonly statements: readonly string[];
}

/** The name of a channel of `node:diagnostics_channel` with each {@link EndedWriterTurn} of this process. */
export const writerTurns = "plimsoll.store.writer-turn";
const endedTurns = channel(writerTurns);

/** How many turns of clients may pass while background work waits. */
const clientTurnsBetween = 8;

/**
 * The queue of this process's writers to an SQLite file; one writes at a time. Callers get their turn in the order of their calls, but those
 * of clients come before background work ({@link isInBackground}).
 */
export class WriterQueue {
  readonly #clients: Waiting[] = [];
  readonly #background: Waiting[] = [];
  /** Awaited between turns: without it, short turns would run in microtasks and delay the reading of requests. */
  readonly #letOthersWork = yieldToEvents();
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

  /** The queue stays held while other work runs: the next caller already has its turn. */
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

/** Resumes a waiting caller. */
type Waiting = () => void;
