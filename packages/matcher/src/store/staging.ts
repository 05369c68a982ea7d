import type { SqlValue } from "@plimsoll/store";
import { sql, type Transaction } from "kysely";
import type { EncodedBatch, EnrichmentColumns } from "./encoded-batch.ts";
import { insertRows, type RowTarget } from "./insert-rows.ts";
import { createStaging } from "./migrations/all.ts";
import { advisoryContent } from "./same-columns.ts";
import type { AdvisoryColumns, MatcherStore, MatcherTables, UpdateKind } from "./tables.ts";

/** A run of an updater. Its content is in the staging tables, invisible, until it is complete. */
export interface StagingRun {
  /** The id of the run; it becomes the operation's `ref`. */
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

/** Creates the staging tables and deletes the rows of dead runs of the updater. The caller holds the updater's lock. */
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

/** The column of a staging table with the name of a row's record. */
const stagedRecords = {
  vulnerability: { table: "advisory_staging", column: "name" },
  enrichment: { table: "enrichment_staging", column: "tag" },
} as const satisfies Record<UpdateKind, { readonly table: string; readonly column: string }>;

/** Stages the records that a delta names. Already staged items of records that it names again are deleted. */
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

/** The number of staged rows of a run. */
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
 * Deletes the staged rows of a finished or failed run in short transactions. If the process dies or the signal is aborted, the rest is
 * deleted when the updater runs again.
 */
export async function clearRun(store: MatcherStore, run: string, signal: AbortSignal | undefined): Promise<void> {
  for (const table of Object.keys(stagingKeys) as StagingTable[])
    while (signal?.aborted !== true && (await clearSome(store, table, run)));
}

/** The second column of each primary key, after `run`. */
const stagingKeys = {
  advisory_staging: "advisory_id",
  enrichment_staging: "tag",
  text_staging: "id",
  record_staging: "record",
  ended_staging: "row_key",
} as const;

type StagingTable = keyof typeof stagingKeys;

/** The number of rows that one transaction deletes, so that none takes long. */
const rowsPerDelete = 5_000;

/** Deletes the first rows of a run as one range of the primary key, which is several times cheaper than row by row. Returns whether there are more. */
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

/** Deletes the staged rows of dead runs of an updater. */
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
