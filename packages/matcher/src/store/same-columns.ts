import { type RawBuilder, sql } from "kysely";

/** The content columns of a row: rows with equal content columns are the same. */
export interface ContentColumns {
  /** The columns at the beginning of the primary key. */
  readonly key: readonly string[];
  readonly others: readonly string[];
}

/** The content columns of an advisory. */
export const advisoryContent = {
  key: ["advisory_id"],
  others: ["ecosystem", "package_name", "name", "statement", "fixed", "extra", "text_id"],
} as const satisfies ContentColumns;

/** The content columns of an enrichment. */
export const enrichmentContent: ContentColumns = { key: ["tag", "text_id"], others: [] };

/** The condition that two aliased rows have equal content. It is written so that only the index of the key can be used. */
export function sameColumns({ key, others }: ContentColumns, left: string, right: string): RawBuilder<boolean> {
  const pair = (column: string) => [sql.ref(`${left}.${column}`), sql.ref(`${right}.${column}`)] as const;
  const equal = key.map(pair).map(([a, b]) => sql`${a} = ${b}`);
  const same = others.map(pair).map(([a, b]) => sql`${a} is not distinct from ${b}`);
  return sql<boolean>`${sql.join([...equal, ...same], sql` and `)}`;
}
