/** A row by its columns. */
export type Row = Readonly<Record<string, string | number | null>>;

/** All rows of a database as of one instant, while others go on writing. */
export interface Snapshot extends AsyncDisposable {
  /** The rows of a table in pages of a few hundred. */
  rows(table: string): AsyncIterable<readonly Row[]>;
}

/** How many rows are held at a time. */
export const pageRows = 500;

/** Tables that belong to one database and are never copied: records of migrations, locks, and what is being loaded. */
export function isOfOneDatabase(table: string): boolean {
  return /_(?:migrations|migrations_lock|staging)$/.test(table) || table === "cluster_lock";
}

/** The same snapshot, whose errors are turned into those that name the database. */
export function explainedSnapshot(snapshot: Snapshot, explain: (error: unknown) => unknown): Snapshot {
  return {
    async *rows(table) {
      const pages = snapshot.rows(table)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const page = await pages.next().catch((error: unknown) => {
            throw explain(error);
          });
          if (page.done) return;
          yield page.value;
        }
      } finally {
        await pages.return?.();
      }
    },
    [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
  };
}
