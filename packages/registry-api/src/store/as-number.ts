import { type RawBuilder, type SqlBool, sql } from "kysely";

/** Whether a condition holds, as a column that is the same on both databases. */
export function asNumber(condition: RawBuilder<SqlBool>): RawBuilder<0 | 1> {
  return sql<0 | 1>`case when ${condition} then 1 else 0 end`;
}
