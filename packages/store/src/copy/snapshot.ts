/** A row by its columns. */
export type Row = Readonly<Record<string, string | number | null>>;

/** A consistent view of all rows of a database, while other processes write. */
export interface Snapshot extends AsyncDisposable {
  /** The rows of a table in pages of a few hundred. */
  rows(table: string): AsyncIterable<readonly Row[]>;
}

/** The most rows of a page. */
export const pageRows = 500;

/** Whether a table belongs to one database and is never copied: records of migrations, locks, and data that is being loaded. */
export function isOfOneDatabase(table: string): boolean {
  return /_(?:migrations|migrations_lock|staging)$/.test(table) || table === "cluster_lock";
}

/** Wraps a snapshot so that its errors name the database. */
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
