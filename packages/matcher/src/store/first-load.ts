import { ScanError } from "@plimsoll/core";
import { oneAtATime, type SqlValue } from "@plimsoll/store";
import { sql, type Transaction } from "kysely";
import { type OnStep, throwIfAborted } from "../abort.ts";
import { type ChangedKeys, inSteps, refreshStep } from "./current-rules.ts";
import type { EncodedBatch, EnrichmentColumns } from "./encoded-batch.ts";
import { deleteRows } from "./forget-operations.ts";
import { insertRows, type RowTarget } from "./insert-rows.ts";
import { advisoryContent } from "./same-columns.ts";
import type { StagingRun } from "./staging.ts";
import type { AdvisoryColumns, MatcherStore, MatcherTables } from "./tables.ts";
import { advisoryWrites, findLatestOperation, nextSeq } from "./update-operations.ts";

/**
 * An updater's first snapshot. Its rows are written where they stay, in short transactions, since nothing of an updater is visible
 * before it is in the table `updater`.
 */
export interface FirstLoad extends StagingRun {
  /** Of the operation that it becomes. */
  readonly seq: number;
}

/** Begins the load of a run, and forgets what a dead one left. Undefined where the updater has been loaded. The caller holds its lock. */
export async function beginFirstLoad(
  store: MatcherStore,
  { run, updater }: StagingRun,
  signal: AbortSignal | undefined,
): Promise<FirstLoad | undefined> {
  const dead = await store.db.selectFrom("first_load").selectAll().where("updater", "=", updater).executeTakeFirst();
  if (dead !== undefined) await forgetLoad(store, dead, signal);
  throwIfAborted(signal, "the update");
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, advisoryWrites, { patient: true });
    if ((await findLatestOperation(transaction, updater)) !== undefined) return undefined;
    const seq = await nextSeq(transaction);
    await transaction.insertInto("first_load").values({ updater, run, seq }).execute();
    return { run, updater, seq };
  });
}

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

/** Writes advisories of a load; of several with one id the last wins. Notes their keys. */
export async function loadAdvisories(
  store: MatcherStore,
  load: FirstLoad,
  { rows, texts }: EncodedBatch<AdvisoryColumns>,
  keys: ChangedKeys,
): Promise<void> {
  keys.add(rows);
  const written = rows.map((row) => [load.updater, load.seq, ...advisoryColumns.map((column) => row[column])]);
  await write(store, load, texts, { target: advisoryTarget, rows: written });
}

/** Writes enrichment records of a load. */
export async function loadEnrichments(
  store: MatcherStore,
  load: FirstLoad,
  { rows, texts }: EncodedBatch<EnrichmentColumns>,
): Promise<void> {
  const written = rows.map(({ tag, text_id: textId }) => [load.updater, load.seq, tag, textId]);
  await write(store, load, texts, { target: enrichmentTarget, rows: written });
}

interface WrittenRows {
  readonly target: RowTarget;
  readonly rows: readonly (readonly SqlValue[])[];
}

/** Rows and their texts come together: a text that no row names may be deleted at any time. */
async function write(
  store: MatcherStore,
  load: FirstLoad,
  texts: ReadonlyMap<string, string>,
  { target, rows }: WrittenRows,
): Promise<void> {
  await inLoad(store, load, async (transaction) => {
    await insertRows(transaction, store.kind, textTarget, [...texts]);
    await insertRows(transaction, store.kind, target, rows);
  });
}

/** Makes the rules that look-ups read, of all keys of a load. */
export async function loadRules(
  store: MatcherStore,
  load: FirstLoad,
  keys: ChangedKeys,
  onStep: OnStep,
): Promise<void> {
  for (const step of inSteps(keys.inOrder())) {
    onStep();
    await inLoad(store, load, (transaction) => refreshStep(transaction, store.kind, load.updater, step));
  }
}

/** A short transaction of a load. */
async function inLoad(
  store: MatcherStore,
  load: FirstLoad,
  work: (transaction: Transaction<MatcherTables>) => Promise<void>,
): Promise<void> {
  await store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, advisoryWrites, { patient: true });
    await checkLoad(transaction, load);
    await work(transaction);
  });
}

/** @throws ScanError `aborted` where another run has taken this one for dead */
async function checkLoad(transaction: Transaction<MatcherTables>, { run, updater }: FirstLoad): Promise<void> {
  const found = await transaction.selectFrom("first_load").select("run").where("run", "=", run).executeTakeFirst();
  if (found === undefined)
    throw new ScanError("aborted", `another update of ${updater} came between: this one is dropped`);
}

/** Ends a load within the transaction that makes it visible. @throws ScanError `aborted` */
export async function endLoad(transaction: Transaction<MatcherTables>, load: FirstLoad): Promise<void> {
  await checkLoad(transaction, load);
  await transaction.deleteFrom("first_load").where("run", "=", load.run).execute();
}

/** Counts what was written of a load, where it was written: a connection that reads would map all of it into memory. */
export async function countLoaded(
  store: MatcherStore,
  table: "advisory" | "enrichment",
  { updater, seq }: FirstLoad,
): Promise<number> {
  const query = sql<{
    rows: number;
  }>`select count(*) as rows from ${sql.table(table)} where valid_from = ${seq} and updater = ${updater}`;
  const { rows } = await store.transaction((transaction) => query.execute(transaction));
  return Number(rows[0]?.rows ?? 0);
}

/** Rows of one transaction. */
const rowsPerBatch = 5_000;

/**
 * Deletes what a load that has failed or is dead wrote, in short transactions, unless it became an operation. What is left because
 * the process dies or the signal is aborted, is deleted when the updater runs again.
 */
export async function forgetLoad(
  store: MatcherStore,
  { run, updater }: StagingRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  const known = await store.db.selectFrom("first_load").select("seq").where("run", "=", run).execute();
  const seq = known.length === 0 ? undefined : await takeOver(store, run, updater);
  if (seq === undefined) return;
  for (const table of ["advisory", "enrichment"] as const) {
    for (let deleted = -1; deleted !== 0; ) {
      if (signal?.aborted === true) return;
      deleted = await store.transaction(async (transaction) => {
        await oneAtATime(store, transaction, advisoryWrites, { patient: true });
        return deleteRows(transaction, table, sql`valid_from = ${seq} and updater = ${updater}`, rowsPerBatch);
      });
    }
  }
  await store.transaction(async (transaction) => {
    await transaction.deleteFrom("current_rules").where("updater", "=", updater).execute();
    await transaction.deleteFrom("first_load").where("updater", "=", updater).execute();
  });
}

/** Keeps a process that only seems dead from writing more. */
async function takeOver(store: MatcherStore, run: string, updater: string): Promise<number | undefined> {
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, advisoryWrites, { patient: true });
    const load = await transaction
      .updateTable("first_load")
      .set({ run: "" })
      .where("run", "=", run)
      .where("updater", "=", updater)
      .returning("seq")
      .executeTakeFirst();
    return load === undefined ? undefined : Number(load.seq);
  });
}
