import type { DatabaseSync, StatementSync } from "node:sqlite";

/** A prepared statement. */
export interface Statement {
  readonly prepared: StatementSync;
  /** Whether it gives rows: a query, or a change that returns what it changed. */
  readonly givesRows: boolean;
}

/** So many statements are kept of a connection, and none whose text is longer. */
const maxStatements = 200;
const maxTextLength = 4_000;

/** The statements of one connection: preparing one costs several times what a look-up by it does. */
export class Statements {
  readonly #connection: () => DatabaseSync;
  readonly #known = new Map<string, Statement>();

  constructor(connection: () => DatabaseSync) {
    this.#connection = connection;
  }

  /** The statement of a text, prepared now or earlier. */
  prepare(text: string): Statement {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const prepared = this.#connection().prepare(text);
    const statement = { prepared, givesRows: prepared.columns().length > 0 };
    if (text.length <= maxTextLength) this.#keep(text, statement);
    return statement;
  }

  clear(): void {
    this.#known.clear();
  }

  #keep(text: string, statement: Statement): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size === maxStatements) this.#known.delete(oldest);
    this.#known.set(text, statement);
  }
}
