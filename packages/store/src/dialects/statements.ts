import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { SqlValue } from "../store.ts";
import type { Rows } from "./remembered-rows.ts";

/** A prepared statement. */
export interface Statement {
  readonly prepared: StatementSync;
  /** The names of the columns of its rows; empty for a statement without rows. */
  readonly columns: readonly string[];
}

/**
 * The rows of a statement as objects. They are built from arrays, because the objects of `node:sqlite` are dictionaries, which cost twice as
 * much to create, and more at each access.
 */
export function readRows({ prepared, columns }: Statement, parameters: readonly SQLInputValue[]): Rows {
  const rows = prepared.all(...parameters) as readonly unknown[] as readonly (readonly SqlValue[])[];
  if (rows.length === 0) return [];
  const names = rows[0]?.length === columns.length ? columns : columnsOf(prepared); // a table may have changed since
  return rows.map((values) => {
    const row: Record<string, SqlValue> = {};
    for (let index = 0; index < values.length; index++) row[names[index] ?? ""] = values[index] ?? null;
    return row;
  });
}

function columnsOf(prepared: StatementSync): readonly string[] {
  return prepared.columns().map(({ name }) => name);
}

/** The most cached statements of a connection, and the longest cached text. */
const maxStatements = 200;
const maxTextLength = 4_000;

/** A cache of the prepared statements of a connection. Preparing one costs several times more than a small query. */
export class Statements {
  readonly #connection: () => DatabaseSync;
  readonly #known = new Map<string, Statement>();

  constructor(connection: () => DatabaseSync) {
    this.#connection = connection;
  }

  /** Prepares a statement, or returns the cached one. */
  prepare(text: string): Statement {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const prepared = this.#connection().prepare(text);
    prepared.setReturnArrays(true);
    const statement = { prepared, columns: columnsOf(prepared) };
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
