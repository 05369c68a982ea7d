import { type RawBuilder, sql } from "kysely";

/** The columns that make a row what it is: two rows say the same when these are the same. */
export interface ContentColumns {
  /** Those that a primary key begins with. */
  readonly key: readonly string[];
  readonly others: readonly string[];
}

/** What an advisory is made of. */
export const advisoryContent = {
  key: ["advisory_id"],
  others: ["ecosystem", "package_name", "name", "statement", "fixed", "extra", "text_id"],
} as const satisfies ContentColumns;

/** What an enrichment is made of. */
export const enrichmentContent: ContentColumns = { key: ["tag", "text_id"], others: [] };

/** Whether two aliased rows say the same, in words that leave an engine one index to find one by the other: the key's. */
export function sameColumns({ key, others }: ContentColumns, left: string, right: string): RawBuilder<boolean> {
  const pair = (column: string) => [sql.ref(`${left}.${column}`), sql.ref(`${right}.${column}`)] as const;
  const equal = key.map(pair).map(([a, b]) => sql`${a} = ${b}`);
  const same = others.map(pair).map(([a, b]) => sql`${a} is not distinct from ${b}`);
  return sql<boolean>`${sql.join([...equal, ...same], sql` and `)}`;
}
