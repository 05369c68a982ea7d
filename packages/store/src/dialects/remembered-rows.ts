import type { SqlValue } from "../store.ts";

/** Rows as objects, shared by all callers. */
export type Rows = readonly Readonly<Record<string, SqlValue>>[];

/** One run of a query. */
export interface LookUp {
  /** The same object at each run; queries of one text may differ in their constants. */
  readonly query: { readonly sql: string };
  /** Makes all its parameters: what is remembered needs none. */
  readonly parameters: () => readonly SqlValue[];
  /** The values in which its runs differ, each once. */
  readonly keys: readonly SqlValue[];
}

/** About so many bytes are remembered, keys included, and no result that has more (a page of a list has less) or is known by longer keys. */
const maxBytes = 32 * 1024 ** 2;
const maxResultBytes = 128 * 1024;
const maxKeyBytes = 2 * 1024;

/** What a result and each of its values take beside their texts, about; and what a key takes with the level below it. */
const overheadBytes = 64;
const keyOverheadBytes = 256;

/** Numbers from here on are times. */
const leastTime = 1e9;

/** Results by the last key, within those by the key before it, within those of the query. */
type Level = Map<LookUp["query"] | SqlValue, Level | Rows>;

/**
 * The rows of look-ups, for as long as the database is what it was when they were read: SQLite counts what other connections
 * commit, so nothing of this is ever older than what reading would give. Look-ups by texts and by places in lists are remembered, those by
 * times are not, which do not come again.
 *
 * @see https://sqlite.org/pragma.html#pragma_data_version
 */
export class RememberedRows {
  readonly #byQuery: Level = new Map();
  #bytes = 0;
  #version: SqlValue = null;

  /** To be told whenever a transaction of reads begins. */
  see(dataVersion: SqlValue): void {
    if (dataVersion === this.#version) return;
    this.#version = dataVersion;
    this.clear();
  }

  /** What a look-up gives, read now or before. */
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
