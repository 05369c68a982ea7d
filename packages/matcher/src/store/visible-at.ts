import { type RawBuilder, sql } from "kysely";

/** The condition that a row was valid at a time, in epoch milliseconds: at the last operation of its updater until then. */
export function visibleAt(table: "advisory" | "enrichment", asOf: number): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`exists (
    select 1 from update_operation o where o.seq = (
      select max(seq) from update_operation l where l.updater = ${column("updater")} and l.date <= ${asOf})
    and ${column("valid_from")} <= o.seq and (${column("valid_to")} is null or ${column("valid_to")} > o.seq))`;
}

/** The SQL condition that a row of `table` is valid at the visible operation of its updater, whose alias is `u`. */
export function holdsNow(table: string): string {
  return `${table}.valid_from <= u.seq and (${table}.valid_to is null or ${table}.valid_to > u.seq)`;
}
