import { sql } from "kysely";
import { detailQuery } from "./advisories.ts";
import type { MatcherStore } from "./tables.ts";
import type { OrderedOperation } from "./update-operations.ts";

const rowsPerPage = 1_000;

/** The number of items that are valid at an operation. */
export async function countItems({ db }: MatcherStore, operation: OrderedOperation): Promise<number> {
  const query =
    operation.kind === "vulnerability"
      ? sql<{ items: number }>`select count(*) as items from advisory where ${visibleAt(operation)}`
      : sql<{ items: number }>`select count(distinct text_id) as items from enrichment where ${visibleAt(operation)}`;
  const { rows } = await query.execute(db);
  return Number(rows[0]?.items ?? 0);
}

/** The advisories that are valid at an operation, sorted by id. */
export async function* listAdvisoryRows(store: MatcherStore, operation: OrderedOperation) {
  for (let last = "", more = true; more; ) {
    const query = detailQuery(store).where(visibleAt(operation)).where("advisory_id", ">", last);
    const rows = await query.orderBy("advisory_id").limit(rowsPerPage).execute();
    yield* rows;
    last = rows.at(-1)?.advisory_id ?? "";
    more = rows.length === rowsPerPage;
  }
}

/** The texts of the enrichments that are valid at an operation, each once. */
export async function* listEnrichmentTexts({ db }: MatcherStore, operation: OrderedOperation): AsyncGenerator<string> {
  const named = db.selectFrom("enrichment").select("text_id").where(visibleAt(operation));
  for (let last = "", more = true; more; ) {
    const query = db.selectFrom("shared_text").selectAll().where("id", "in", named).where("id", ">", last);
    const rows = await query.orderBy("id").limit(rowsPerPage).execute();
    for (const { text } of rows) yield text;
    last = rows.at(-1)?.id ?? "";
    more = rows.length === rowsPerPage;
  }
}

/** Whether a row of an advisory or enrichment is valid at an operation. */
export function visibleAt({ updater, seq }: Pick<OrderedOperation, "updater" | "seq">) {
  return sql<boolean>`(updater = ${updater} and valid_from <= ${seq} and (valid_to is null or valid_to > ${seq}))`;
}
