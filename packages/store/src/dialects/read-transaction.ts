import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate as afterThisTurn } from "node:timers";
import type { SqlValue } from "../store.ts";
import { inputBatch } from "./input-batch.ts";

/**
 * The transaction that reads share within one turn of the event loop: beginning and ending one takes locks on the file, which
 * cost as much as a look-up does. It ends with the turn, when this process has written, and when a request begins that may have
 * come in later. What is remembered needs none: it is enough to have asked since then whether the database is still the same.
 */
export class ReadTransaction {
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #dataVersion: StatementSync;
  readonly #onVersion: (dataVersion: SqlValue) => void;
  readonly #endWithTurn = (): void => this.end();
  #isKnown = false;
  #isOpen = false;
  /** The {@link inputBatch} in which it was asked. */
  #askedIn = -1;

  /** @param onVersion is told the version of the database whenever it is asked for */
  constructor(reader: DatabaseSync, onVersion: (dataVersion: SqlValue) => void) {
    this.#begin = reader.prepare("begin");
    this.#commit = reader.prepare("commit");
    this.#dataVersion = reader.prepare("pragma data_version");
    this.#dataVersion.setReturnArrays(true);
    this.#onVersion = onVersion;
  }

  /** To be called before anything is taken from what is remembered. */
  look(): void {
    if (!this.#isKnown) this.#see();
  }

  /** To be called before every read. */
  enter(): void {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    this.#see(); // again: another process may have written since
  }

  /** To be called when a request has come in from a socket. Requests that were there together share what is known. */
  beginRequest(): void {
    if (this.#isKnown && this.#askedIn !== inputBatch()) this.end();
  }

  /** What is read from now on sees the last commit. */
  end(): void {
    this.#isKnown = false;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#commit.run();
  }

  #see(): void {
    const row = this.#dataVersion.get() as unknown as readonly SqlValue[] | undefined;
    if (!this.#isKnown) afterThisTurn(this.#endWithTurn);
    this.#isKnown = true;
    this.#askedIn = inputBatch();
    this.#onVersion(row?.[0] ?? null);
  }
}
