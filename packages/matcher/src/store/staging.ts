import type { SqlValue } from "@plimsoll/store";
import { sql, type Transaction } from "kysely";
import type { EncodedBatch, EnrichmentColumns } from "./encoded-batch.ts";
import { insertRows, type RowTarget } from "./insert-rows.ts";
import { createStaging } from "./migrations/staging.ts";
import { advisoryContent } from "./same-columns.ts";
import type { AdvisoryColumns, MatcherStore, MatcherTables, UpdateKind } from "./tables.ts";

/** One run of an updater: what it brings waits in the staging tables, invisible, until it is whole. */
export interface StagingRun {
  /** Becomes the operation's `ref`. */
  readonly run: string;
  readonly updater: string;
}

const content = advisoryContent.others;

const advisoryTarget: RowTarget = {
  table: "advisory_staging",
  columns: ["run", "updater", "advisory_id", ...content],
  onConflict: `(run, advisory_id) do update set ${content.map((column) => `${column} = excluded.${column}`).join(", ")}`,
};

const enrichmentTarget: RowTarget = {
  table: "enrichment_staging",
  columns: ["run", "updater", "tag", "text_id"],
  onConflict: "do nothing",
};

const textTarget: RowTarget = {
  table: "text_staging",
  columns: ["run", "updater", "id", "text"],
  onConflict: "do nothing",
};

/** Makes room for a run and forgets what dead runs of the updater left. The caller holds the updater's lock. */
export async function beginStaging(
  store: MatcherStore,
  { updater }: StagingRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  await store.transaction((transaction) => createStaging(transaction, store.kind));
  await clearUpdater(store, updater, signal);
}

/** Stages advisories; of several with one id the last wins. */
export async function stageAdvisories(
  store: MatcherStore,
  { run, updater }: StagingRun,
  { rows, texts }: EncodedBatch<AdvisoryColumns>,
): Promise<void> {
  await store.transaction(async (transaction) => {
    await insertRows(transaction, store.kind, { target: textTarget, rows: textRows(run, updater, texts) });
    const staged = rows.map((row) => [run, updater, row.advisory_id, ...content.map((column) => row[column])]);
    await insertRows(transaction, store.kind, { target: advisoryTarget, rows: staged });
  });
}

/** Stages enrichment records. */
export async function stageEnrichments(
  store: MatcherStore,
  { run, updater }: StagingRun,
  { rows, texts }: EncodedBatch<EnrichmentColumns>,
): Promise<void> {
  await store.transaction(async (transaction) => {
    await insertRows(transaction, store.kind, { target: textTarget, rows: textRows(run, updater, texts) });
    const staged = rows.map(({ tag, text_id: textId }) => [run, updater, tag, textId]);
    await insertRows(transaction, store.kind, { target: enrichmentTarget, rows: staged });
  });
}

const recordTarget: RowTarget = {
  table: "record_staging",
  columns: ["run", "updater", "record"],
  onConflict: "do nothing",
};

/** The column of a staging table that holds the name of a row's record. */
const stagedRecords = {
  vulnerability: { table: "advisory_staging", column: "name" },
  enrichment: { table: "enrichment_staging", column: "tag" },
} as const satisfies Record<UpdateKind, { readonly table: string; readonly column: string }>;

/** Notes the records that a delta names. Items that were staged of those it names again are forgotten. */
export async function stageRecords(
  store: MatcherStore,
  { run, updater }: StagingRun,
  { kind, records }: { readonly kind: UpdateKind; readonly records: readonly string[] },
): Promise<void> {
  const { table, column } = stagedRecords[kind];
  await store.transaction(async (transaction) => {
    const known = await transaction
      .selectFrom("record_staging")
      .select("record")
      .where("run", "=", run)
      .where("record", "in", records)
      .execute();
    const again = known.map(({ record }) => record);
    if (again.length > 0)
      await sql`delete from ${sql.table(table)} where run = ${run} and ${sql.ref(column)} in (${sql.join(again)})`.execute(
        transaction,
      );
    await insertRows(transaction, store.kind, {
      target: recordTarget,
      rows: records.map((record) => [run, updater, record]),
    });
  });
}

/** How many rows of a run wait to be merged. */
export async function countStaged(
  transaction: Transaction<MatcherTables>,
  run: string,
  kind: UpdateKind,
): Promise<number> {
  const { rows } = await transaction
    .selectFrom(kind === "vulnerability" ? "advisory_staging" : "enrichment_staging")
    .select(({ fn }) => fn.countAll().as("rows"))
    .where("run", "=", run)
    .executeTakeFirstOrThrow();
  return Number(rows);
}

/**
 * Forgets a run that has been merged or has failed. Outside of the merging transaction, which would have to remember all of
 * it: what is left because the process dies or the signal is aborted, is cleared when the updater runs again.
 */
export async function clearRun(store: MatcherStore, run: string, signal: AbortSignal | undefined): Promise<void> {
  for (const table of Object.keys(stagingKeys) as StagingTable[])
    while (signal?.aborted !== true && (await clearSome(store, table, run)));
}

/** The other half of each primary key, whose first is `run`. */
const stagingKeys = {
  advisory_staging: "advisory_id",
  enrichment_staging: "tag",
  text_staging: "id",
  record_staging: "record",
  ended_staging: "row_key",
} as const;

type StagingTable = keyof typeof stagingKeys;

/** Rows that one transaction deletes, so that none takes long. */
const rowsPerDelete = 5_000;

/** Deletes the first rows of a run, as one range of the primary key: several times cheaper than row by row. Returns whether there are more. */
async function clearSome(store: MatcherStore, table: StagingTable, run: string): Promise<boolean> {
  const key = sql.ref(stagingKeys[table]);
  const ofRun = sql`from ${sql.table(table)} where run = ${run}`;
  return store.transaction(async (transaction) => {
    const next = sql<{ key: string }>`select ${key} as key ${ofRun} order by ${key} limit 1 offset ${rowsPerDelete}`;
    const end = (await next.execute(transaction)).rows[0]?.key;
    await sql`delete ${ofRun} ${end === undefined ? sql`` : sql`and ${key} <= ${end}`}`.execute(transaction);
    return end !== undefined;
  });
}

/** Forgets what dead runs of an updater left. */
async function clearUpdater(store: MatcherStore, updater: string, signal: AbortSignal | undefined): Promise<void> {
  for (const table of Object.keys(stagingKeys) as StagingTable[]) {
    for (let run: string | undefined; signal?.aborted !== true; ) {
      run = await findRunOf(store, table, updater);
      if (run === undefined) break;
      await clearRun(store, run, signal);
    }
  }
}

async function findRunOf(store: MatcherStore, table: StagingTable, updater: string): Promise<string | undefined> {
  const find = sql<{ run: string }>`select run from ${sql.table(table)} where updater = ${updater} limit 1`;
  const { rows } = await store.transaction((transaction) => find.execute(transaction));
  return rows[0]?.run;
}

function textRows(run: string, updater: string, texts: ReadonlyMap<string, string>): readonly (readonly SqlValue[])[] {
  return [...texts].map(([id, text]) => [run, updater, id, text]);
}
