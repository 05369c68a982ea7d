import { performance } from "node:perf_hooks";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate as afterThisTurn } from "node:timers";
import type { SqlValue } from "../store.ts";

/**
 * The transaction that reads share within one turn of the event loop, because beginning and ending one locks the file, which costs as much
 * as a small query. It ends with the turn, after a write of this process, and when a request begins that may have arrived later. Cached
 * rows need no transaction: it is enough to check the version of the database in that time.
 */
export class ReadTransaction {
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #dataVersion: StatementSync;
  readonly #onVersion: (dataVersion: SqlValue) => void;
  readonly #endWithTurn = (): void => this.end();
  #isKnown = false;
  #isOpen = false;
  /** The {@link inputBatch} in which the version was read. */
  #askedIn = -1;

  /** @param onVersion called with the version of the database whenever it is read */
  constructor(reader: DatabaseSync, onVersion: (dataVersion: SqlValue) => void) {
    this.#begin = reader.prepare("begin");
    this.#commit = reader.prepare("commit");
    this.#dataVersion = reader.prepare("pragma data_version");
    this.#dataVersion.setReturnArrays(true);
    this.#onVersion = onVersion;
  }

  /** Reads the version of the database unless it is known. Call it before using cached rows. */
  checkVersion(): void {
    if (!this.#isKnown) this.#see();
  }

  /** Begins the transaction unless it is open. Call it before every read. */
  begin(): void {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    this.#see(); // again: another process may have written since
  }

  /** Call it when a request has arrived from a socket. Requests that arrived together share the transaction. */
  beginRequest(): void {
    if (this.#isKnown && this.#askedIn !== inputBatch()) this.end();
  }

  /** Ends the transaction, so that later reads see the last commit. */
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

const { nodeTiming } = performance;

/** More than the events of one poll of the sockets. */
const eventsModulus = 2 ** 20;

/**
 * A number that changes each time this thread polls its sockets. Input that is handled under one number had arrived before the first of it
 * was handled. Reading the number costs a tenth of a microsecond.
 *
 * The event loop counts its turns just before it polls, and counts the events of a poll when they are handled.
 * @see https://nodejs.org/api/perf_hooks.html#performancenodetiminguvmetricsinfo
 */
export function inputBatch(): number {
  const { loopCount, events } = nodeTiming.uvMetricsInfo;
  return loopCount * eventsModulus + (events % eventsModulus);
}
