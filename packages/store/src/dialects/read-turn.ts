import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate as afterThisTurn } from "node:timers";

/**
 * Lets the reads of one turn of the event loop share a transaction: beginning and ending one takes locks on the file, which
 * cost as much as a look-up does. It ends with the turn, or when this process has written.
 */
export class ReadTurn {
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #isOpen = false;

  constructor(reader: DatabaseSync) {
    this.#begin = reader.prepare("begin");
    this.#commit = reader.prepare("commit");
  }

  /** To be called before every read. */
  enter(): void {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    afterThisTurn(() => this.end());
  }

  /** What is read from now on sees the last commit. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#commit.run();
  }
}
