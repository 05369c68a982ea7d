import type { SqlValue } from "@plimsoll/store";
import { sql } from "kysely";
import type { ChangedKeys } from "./current-rules.ts";
import type { EncodedBatch, EnrichmentColumns } from "./encoded-batch.ts";
import { insertRows, type RowTarget } from "./insert-rows.ts";
import { joinUpdate, type RunningUpdate } from "./running-update.ts";
import { advisoryContent } from "./same-columns.ts";
import type { AdvisoryColumns, MatcherStore } from "./tables.ts";

const advisoryColumns = [...advisoryContent.key, ...advisoryContent.others] as const;

const advisoryTarget: RowTarget = {
  table: "advisory",
  columns: ["updater", "valid_from", ...advisoryColumns],
  onConflict: `(advisory_id, updater, valid_from) do update set ${advisoryContent.others
    .map((column) => `${column} = excluded.${column}`)
    .join(", ")}`,
};

const enrichmentTarget: RowTarget = {
  table: "enrichment",
  columns: ["updater", "valid_from", "tag", "text_id"],
  onConflict: "do nothing",
};

const textTarget: RowTarget = { table: "shared_text", columns: ["id", "text"], onConflict: "do nothing" };

/** Writes advisories of an updater's first snapshot to their final table, and adds their keys; of several with one id the last wins. */
export async function loadAdvisories(
  store: MatcherStore,
  load: RunningUpdate,
  { batch: { rows, texts }, keys }: { readonly batch: EncodedBatch<AdvisoryColumns>; readonly keys: ChangedKeys },
): Promise<void> {
  keys.add(rows);
  const written = rows.map((row) => [load.updater, load.seq, ...advisoryColumns.map((column) => row[column])]);
  await write(store, load, { texts, target: advisoryTarget, rows: written });
}

/** Writes enrichment records of an updater's first snapshot to their final table. */
export async function loadEnrichments(
  store: MatcherStore,
  load: RunningUpdate,
  { rows, texts }: EncodedBatch<EnrichmentColumns>,
): Promise<void> {
  const written = rows.map(({ tag, text_id: textId }) => [load.updater, load.seq, tag, textId]);
  await write(store, load, { texts, target: enrichmentTarget, rows: written });
}

interface WrittenRows {
  readonly target: RowTarget;
  readonly rows: readonly (readonly SqlValue[])[];
}

/** Writes rows and their texts in one transaction: a text that no row names may be deleted at any time. */
async function write(
  store: MatcherStore,
  load: RunningUpdate,
  { texts, target, rows }: WrittenRows & { readonly texts: ReadonlyMap<string, string> },
): Promise<void> {
  await store.transaction(async (transaction) => {
    await joinUpdate(store, transaction, load);
    await insertRows(transaction, store.kind, { target: textTarget, rows: [...texts] });
    await insertRows(transaction, store.kind, { target, rows });
  });
}

/** Counts the written rows of a first snapshot, in a write transaction: a reading connection would map all of them into memory. */
export async function countLoaded(
  store: MatcherStore,
  table: "advisory" | "enrichment",
  { updater, seq }: RunningUpdate,
): Promise<number> {
  const query = sql<{
    rows: number;
  }>`select count(*) as rows from ${sql.table(table)} where valid_from = ${seq} and updater = ${updater}`;
  const { rows } = await store.transaction((transaction) => query.execute(transaction));
  return Number(rows[0]?.rows ?? 0);
}
