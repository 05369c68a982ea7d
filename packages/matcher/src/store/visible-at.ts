import { type RawBuilder, sql } from "kysely";

/** Whether a row of a table held at a time, which is in epoch milliseconds: by the last operation of its updater until then. */
export function visibleAt(table: "advisory" | "enrichment", asOf: number): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`exists (
    select 1 from update_operation o where o.seq = (
      select max(seq) from update_operation l where l.updater = ${column("updater")} and l.date <= ${asOf})
    and ${column("valid_from")} <= o.seq and (${column("valid_to")} is null or ${column("valid_to")} > o.seq))`;
}

/** Whether a row of `table` holds by the operation that is shown now of its updater, which is `u`. */
export function holdsNow(table: string): string {
  return `${table}.valid_from <= u.seq and (${table}.valid_to is null or ${table}.valid_to > u.seq)`;
}
