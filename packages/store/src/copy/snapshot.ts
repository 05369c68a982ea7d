/** A row by its columns. */
export type Row = Readonly<Record<string, string | number | null>>;

/** All rows of a database as of one instant, while others go on writing. */
export interface Snapshot extends AsyncDisposable {
  /** The names of its tables. */
  tables(): Promise<readonly string[]>;
  /** The rows of a table in pages of a few hundred. */
  rows(table: string): AsyncIterable<readonly Row[]>;
}

/** How many rows are held at a time. */
export const pageRows = 500;

/** Tables that belong to one database and are never copied: records of migrations, and locks of running processes. */
export function isOfOneDatabase(table: string): boolean {
  return /_migrations(?:_lock)?$/.test(table) || table === "cluster_lock";
}

/** A name as SQL writes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
