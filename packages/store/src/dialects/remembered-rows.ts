import type { SqlValue } from "../store.ts";

/** Rows as objects, shared by all callers. */
export type Rows = readonly Readonly<Record<string, SqlValue>>[];

/** One run of a compiled query. */
export interface LookUp {
  /** The query, the same object at each run. Queries with the same text may differ in their constants. */
  readonly query: { readonly sql: string };
  /** Creates the parameters, which are not needed for cached rows. */
  readonly parameters: () => readonly SqlValue[];
  /** The values of its placeholders, each once. */
  readonly keys: readonly SqlValue[];
}

/** Approximate limits of the cache: of all bytes including keys, of one result (a page of a list is smaller), and of the keys of one result. */
const maxBytes = 32 * 1024 ** 2;
const maxResultBytes = 128 * 1024;
const maxKeyBytes = 2 * 1024;

/** Approximate memory of a result and of each value beside their texts; and of a key with the level below it. */
const overheadBytes = 64;
const keyOverheadBytes = 256;

/** Larger numbers are instants. */
const leastTime = 1e9;

/** Nested maps: by query, then by each key; the last one has the rows. */
type Level = Map<LookUp["query"] | SqlValue, Level | Rows>;

/**
 * A cache of rows, valid until the database changes. SQLite counts the commits of other connections, so cached rows are never older than
 * what a read would return. Only queries by texts and small numbers are cached; queries by instants never repeat.
 *
 * @see https://sqlite.org/pragma.html#pragma_data_version
 */
export class RememberedRows {
  readonly #byQuery: Level = new Map();
  #bytes = 0;
  #version: SqlValue = null;

  /** Clears the cache if the version has changed. Call it whenever the version is read. */
  setVersion(dataVersion: SqlValue): void {
    if (dataVersion === this.#version) return;
    this.#version = dataVersion;
    this.clear();
  }

  /** The rows of a query, cached or read now. */
  find({ query, keys }: LookUp, read: () => Rows): Rows {
    let known = this.#byQuery.get(query);
    for (const key of keys) {
      if (typeof key !== "string" && !(typeof key === "number" && key < leastTime)) return read();
      known = (known as Level | undefined)?.get(key);
    }
    if (known !== undefined) return known as Rows;
    const rows = read();
    this.#keep([query, ...keys], rows);
    return rows;
  }

  clear(): void {
    this.#byQuery.clear();
    this.#bytes = 0;
  }

  #keep(path: readonly (LookUp["query"] | SqlValue)[], rows: Rows): void {
    const keyBytes = sizeOfKeys(path);
    const rowBytes = sizeOf(rows);
    if (rowBytes > maxResultBytes || keyBytes > maxKeyBytes) return;
    const bytes = rowBytes + keyBytes;
    if (this.#bytes + bytes > maxBytes) this.clear();
    this.#bytes += bytes;
    let level = this.#byQuery;
    for (const key of path.slice(0, -1)) {
      const next = (level.get(key) as Level | undefined) ?? new Map();
      level.set(key, next);
      level = next;
    }
    for (const row of rows) Object.freeze(row);
    level.set(path.at(-1) ?? null, rows);
  }
}

function sizeOfKeys(path: readonly (LookUp["query"] | SqlValue)[]): number {
  let bytes = 0;
  for (const key of path) bytes += keyOverheadBytes + (typeof key === "string" ? 2 * key.length : 0);
  return bytes;
}

function sizeOf(rows: Rows): number {
  let bytes = overheadBytes;
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      bytes += overheadBytes + 2 * (typeof value === "string" ? value.length : 0);
    }
  }
  return bytes;
}
