import { type RawBuilder, sql } from "kysely";

/** The columns that make a row what it is: two rows say the same when these are the same. */
export interface ContentColumns {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** What an advisory is made of. */
export const advisoryContent: ContentColumns = {
  required: ["advisory_id", "ecosystem", "package_name", "name", "statement", "text_id"],
  optional: ["fixed", "extra"],
};

/** What an enrichment is made of. */
export const enrichmentContent: ContentColumns = { required: ["tag", "text_id"], optional: [] };

/** Whether two aliased rows say the same. Only `=` finds its way into an index on both engines. */
export function sameColumns({ required, optional }: ContentColumns, left: string, right: string): RawBuilder<boolean> {
  const pair = (column: string) => [sql.ref(`${left}.${column}`), sql.ref(`${right}.${column}`)] as const;
  const equal = required.map(pair).map(([a, b]) => sql`${a} = ${b}`);
  const same = optional.map(pair).map(([a, b]) => sql`${a} is not distinct from ${b}`);
  return sql<boolean>`${sql.join([...equal, ...same], sql` and `)}`;
}
