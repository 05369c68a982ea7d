import { ScanError } from "@plimsoll/core";
import { oneAtATime } from "@plimsoll/store";
import type { Transaction } from "kysely";
import { throwIfAborted } from "../values/abort.ts";
import { deleteEndedRules } from "./current-rules.ts";
import { type RevertedUpdate, revertLater, revertRun } from "./revert-update.ts";
import type { StagingRun } from "./staging.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";
import { advisoryWrites, findLatestOperation, nextSeq } from "./update-operations.ts";

/**
 * An update that is being written in short transactions. Its rows are in their final tables, and the rows that it ends are marked, but from an
 * operation on that does not exist yet: nothing is visible before `updater.seq` is that operation.
 */
export interface RunningUpdate extends StagingRun {
  /** The `seq` of the operation that it becomes. */
  readonly seq: number;
  /** Whether it is the first update of the updater. */
  readonly isFirst: boolean;
}

/** Begins to write a run, and reverts a dead one. The caller holds the updater's lock. */
export async function beginUpdate(
  store: MatcherStore,
  { run, updater }: StagingRun,
  signal: AbortSignal | undefined,
): Promise<RunningUpdate> {
  const dead = await findRunning(store.db, updater);
  if (dead !== undefined) await revertUpdate(store, dead, signal);
  throwIfAborted(signal, "the update");
  await deleteEndedRules(store, updater);
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
    const isFirst = (await findLatestOperation(transaction, updater)) === undefined;
    const seq = await nextSeq(transaction);
    await transaction.insertInto("running_update").values({ updater, run, seq }).execute();
    return { run, updater, seq, isFirst };
  });
}

/** Checks in a transaction that the update was not overtaken. @throws ScanError `aborted` */
export async function joinUpdate(
  store: MatcherStore,
  transaction: Transaction<MatcherTables>,
  update: RunningUpdate,
): Promise<void> {
  await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
  await checkUpdate(transaction, update);
}

/** @throws ScanError `aborted` if another run took this one for dead */
async function checkUpdate(transaction: Transaction<MatcherTables>, update: RunningUpdate): Promise<void> {
  if (!(await isRunning(transaction, update))) throw overtaken(update.updater);
}

/** Whether the update was not overtaken by another run. */
export async function isRunning(transaction: Transaction<MatcherTables>, { run }: RunningUpdate): Promise<boolean> {
  const found = transaction.selectFrom("running_update").select("run").where("run", "=", run);
  return (await found.executeTakeFirst()) !== undefined;
}

/** The error of an update that another run has overtaken. */
export function overtaken(updater: string): ScanError {
  return new ScanError("aborted", `another update of ${updater} finished first: this update is dropped`);
}

/** Ends an update within the transaction that makes it visible. @throws ScanError `aborted` */
export async function endUpdate(transaction: Transaction<MatcherTables>, update: RunningUpdate): Promise<void> {
  await checkUpdate(transaction, update);
  await transaction.deleteFrom("running_update").where("run", "=", update.run).execute();
}

/**
 * Reverts the rows of a failed or dead update in short transactions, unless it became an operation. If the process dies or the signal is
 * aborted, the rest is reverted when the updater runs again.
 */
export async function revertUpdate(
  store: MatcherStore,
  { run, updater }: StagingRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  const known = await store.db.selectFrom("running_update").select("seq").where("run", "=", run).execute();
  const seq = known.length === 0 ? undefined : await takeOver(store, run, updater);
  if (seq !== undefined) await revertLater(store, { updater, seq }, signal);
}

/** Marks the update as being reverted, so that a process that only seems dead cannot write more. */
async function takeOver(store: MatcherStore, run: string, updater: string): Promise<number | undefined> {
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
    const update = await transaction
      .updateTable("running_update")
      .set({ run: revertRun })
      .where("run", "=", run)
      .where("updater", "=", updater)
      .returning("seq")
      .executeTakeFirst();
    return update === undefined ? undefined : Number(update.seq);
  });
}

/** Marks an update in a transaction as being reverted. @param seq the operation to revert */
export async function abandonUpdate(
  transaction: Transaction<MatcherTables>,
  { updater }: RunningUpdate,
  seq: number,
): Promise<RevertedUpdate> {
  await transaction.updateTable("running_update").set({ run: revertRun, seq }).where("updater", "=", updater).execute();
  return { updater, seq };
}

/**
 * Claims an updater, so that no update of it can be published meanwhile. A running update is reverted.
 * @param run the name of the claim; processes with the same name share it
 */
export async function claimUpdater(store: MatcherStore, { run, updater }: StagingRun): Promise<RunningUpdate> {
  // This ends: each repetition reverts an update that has begun since the last one.
  for (;;) {
    const other = await findRunning(store.db, updater);
    if (other !== undefined && other.run !== run) await revertUpdate(store, other, undefined);
    const taken = await store.transaction(async (transaction) => {
      await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
      const found = await findRunning(transaction, updater);
      if (found !== undefined) return found.run === run ? { ...found, seq: Number(found.seq) } : undefined;
      const own = { run, updater, seq: await nextSeq(transaction) };
      await transaction.insertInto("running_update").values(own).execute();
      return own;
    });
    if (taken !== undefined) return { ...taken, isFirst: false };
  }
}

function findRunning(db: MatcherStore["db"] | Transaction<MatcherTables>, updater: string) {
  return db.selectFrom("running_update").selectAll().where("updater", "=", updater).executeTakeFirst();
}
