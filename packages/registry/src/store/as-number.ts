import { type RawBuilder, type SqlBool, sql } from "kysely";

/** A condition as a column with the values 0 and 1 on both databases. */
export function asNumber(condition: RawBuilder<SqlBool>): RawBuilder<0 | 1> {
  return sql<0 | 1>`case when ${condition} then 1 else 0 end`;
}
