import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate as afterThisTurn } from "node:timers";
import type { SqlValue } from "../store.ts";

/**
 * Lets the reads of one turn of the event loop share a transaction: beginning and ending one takes locks on the file, which
 * cost as much as a look-up does. It ends with the turn, or when this process has written.
 */
export class ReadTurn {
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #dataVersion: StatementSync;
  readonly #onBegin: (dataVersion: SqlValue) => void;
  #isOpen = false;

  /** @param onBegin is told the version of what is read in each turn */
  constructor(reader: DatabaseSync, onBegin: (dataVersion: SqlValue) => void) {
    this.#begin = reader.prepare("begin");
    this.#commit = reader.prepare("commit");
    this.#dataVersion = reader.prepare("pragma data_version");
    this.#onBegin = onBegin;
  }

  /** To be called before every read. */
  enter(): void {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    afterThisTurn(() => this.end());
    this.#onBegin(this.#dataVersion.get()?.data_version as SqlValue);
  }

  /** What is read from now on sees the last commit. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#commit.run();
  }
}
