import { ScanError } from "@plimsoll/core";
import { oneAtATime } from "@plimsoll/store";
import { sql, type Transaction } from "kysely";
import { throwIfAborted } from "../abort.ts";
import { ChangedKeys, forgetEndedRules, type KeyedRow, takeBackRules } from "./current-rules.ts";
import { deleteRows, reopenRows } from "./forget-operations.ts";
import type { StagingRun } from "./staging.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";
import { advisoryWrites, findLatestOperation, nextSeq } from "./update-operations.ts";

/**
 * An update that is being written, in short transactions. Its rows are where they stay, and what it ends is marked, but as of an operation
 * that is not there yet: nothing of it is visible before `updater` shows that operation.
 */
export interface RunningUpdate extends StagingRun {
  /** Of the operation that it becomes. */
  readonly seq: number;
  /** Whether nothing of the updater was there before. */
  readonly isFirst: boolean;
}

/** Begins to write a run, and takes back what a dead one left. The caller holds the updater's lock. */
export async function beginUpdate(
  store: MatcherStore,
  { run, updater }: StagingRun,
  signal: AbortSignal | undefined,
): Promise<RunningUpdate> {
  const dead = await store.db
    .selectFrom("running_update")
    .selectAll()
    .where("updater", "=", updater)
    .executeTakeFirst();
  if (dead !== undefined) await takeBackUpdate(store, dead, signal);
  throwIfAborted(signal, "the update");
  await forgetEndedRules(store, updater);
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, advisoryWrites, { patient: true });
    const isFirst = (await findLatestOperation(transaction, updater)) === undefined;
    const seq = await nextSeq(transaction);
    await transaction.insertInto("running_update").values({ updater, run, seq }).execute();
    return { run, updater, seq, isFirst };
  });
}

/** Checks within a transaction that writes an update that it is still the updater's. @throws ScanError `aborted` */
export async function joinUpdate(
  store: MatcherStore,
  transaction: Transaction<MatcherTables>,
  update: RunningUpdate,
): Promise<void> {
  await oneAtATime(store, transaction, advisoryWrites, { patient: true });
  await checkUpdate(transaction, update);
}

/** @throws ScanError `aborted` where another run has taken this one for dead */
async function checkUpdate(transaction: Transaction<MatcherTables>, { run, updater }: RunningUpdate): Promise<void> {
  const found = await transaction.selectFrom("running_update").select("run").where("run", "=", run).executeTakeFirst();
  if (found === undefined) throw cameBetween(updater);
}

/** The error of an update that another run has overtaken. */
export function cameBetween(updater: string): ScanError {
  return new ScanError("aborted", `another update of ${updater} came between: this one is dropped`);
}

/** Ends an update within the transaction that makes it visible. @throws ScanError `aborted` */
export async function endUpdate(transaction: Transaction<MatcherTables>, update: RunningUpdate): Promise<void> {
  await checkUpdate(transaction, update);
  await transaction.deleteFrom("running_update").where("run", "=", update.run).execute();
}

/** Rows of one transaction. */
const rowsPerBatch = 2_000;

/**
 * Takes back what an update that has failed or is dead wrote, in short transactions, unless it became an operation. What is left because
 * the process dies or the signal is aborted, is taken back when the updater runs again.
 */
export async function takeBackUpdate(
  store: MatcherStore,
  { run, updater }: StagingRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  const known = await store.db.selectFrom("running_update").select("seq").where("run", "=", run).execute();
  const seq = known.length === 0 ? undefined : await takeOver(store, run, updater);
  if (seq === undefined) return;
  const [begun, ended] = [
    sql`valid_from = ${seq} and updater = ${updater}`,
    sql`valid_to = ${seq} and updater = ${updater}`,
  ];
  for (const table of ["advisory", "enrichment"] as const) {
    for (const [change, condition] of [
      [deleteRows, begun],
      [reopenRows, ended],
    ] as const) {
      const inBatches = (transaction: Transaction<MatcherTables>) =>
        change(transaction, table, condition, rowsPerBatch);
      if (!(await takeBackRows(store, { updater, seq }, inBatches, signal))) return;
    }
  }
  await store.transaction((transaction) =>
    transaction.deleteFrom("running_update").where("updater", "=", updater).execute(),
  );
}

/** Changes rows, batch by batch, and takes back the rules of their keys; whether it came to its end. */
async function takeBackRows(
  store: MatcherStore,
  owner: { readonly updater: string; readonly seq: number },
  change: (transaction: Transaction<MatcherTables>) => Promise<readonly Partial<KeyedRow>[]>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (let changed = -1; changed !== 0; ) {
    if (signal?.aborted === true) return false;
    changed = await store.transaction(async (transaction) => {
      await oneAtATime(store, transaction, advisoryWrites, { patient: true });
      const rows = await change(transaction);
      const keys = new ChangedKeys();
      keys.add(rows.filter((row): row is KeyedRow => row.package_name !== undefined));
      await takeBackRules(transaction, owner, keys);
      return rows.length;
    });
  }
  return true;
}

/** Keeps a process that only seems dead from writing more. */
async function takeOver(store: MatcherStore, run: string, updater: string): Promise<number | undefined> {
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, advisoryWrites, { patient: true });
    const update = await transaction
      .updateTable("running_update")
      .set({ run: "" })
      .where("run", "=", run)
      .where("updater", "=", updater)
      .returning("seq")
      .executeTakeFirst();
    return update === undefined ? undefined : Number(update.seq);
  });
}
