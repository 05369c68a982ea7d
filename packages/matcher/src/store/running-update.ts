import { ScanError } from "@plimsoll/core";
import { oneAtATime } from "@plimsoll/store";
import type { Transaction } from "kysely";
import { throwIfAborted } from "../values/abort.ts";
import { forgetEndedRules } from "./current-rules.ts";
import type { StagingRun } from "./staging.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";
import { type TakenBack, takeBackLater, takenBack } from "./take-back.ts";
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
  const dead = await findRunning(store.db, updater);
  if (dead !== undefined) await takeBackUpdate(store, dead, signal);
  throwIfAborted(signal, "the update");
  await forgetEndedRules(store, updater);
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
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
  await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
  await checkUpdate(transaction, update);
}

/** @throws ScanError `aborted` where another run has taken this one for dead */
async function checkUpdate(transaction: Transaction<MatcherTables>, update: RunningUpdate): Promise<void> {
  if (!(await isRunning(transaction, update))) throw cameBetween(update.updater);
}

/** Whether no other run has taken this one for dead. */
export async function isRunning(transaction: Transaction<MatcherTables>, { run }: RunningUpdate): Promise<boolean> {
  const found = transaction.selectFrom("running_update").select("run").where("run", "=", run);
  return (await found.executeTakeFirst()) !== undefined;
}

/** The error of an update that another run has overtaken. */
export function cameBetween(updater: string): ScanError {
  return new ScanError("aborted", `another update of ${updater} finished first: this update is dropped`);
}

/** Ends an update within the transaction that makes it visible. @throws ScanError `aborted` */
export async function endUpdate(transaction: Transaction<MatcherTables>, update: RunningUpdate): Promise<void> {
  await checkUpdate(transaction, update);
  await transaction.deleteFrom("running_update").where("run", "=", update.run).execute();
}

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
  if (seq !== undefined) await takeBackLater(store, { updater, seq }, signal);
}

/** Keeps a process that only seems dead from writing more. */
async function takeOver(store: MatcherStore, run: string, updater: string): Promise<number | undefined> {
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
    const update = await transaction
      .updateTable("running_update")
      .set({ run: takenBack })
      .where("run", "=", run)
      .where("updater", "=", updater)
      .returning("seq")
      .executeTakeFirst();
    return update === undefined ? undefined : Number(update.seq);
  });
}

/** Gives an update up within a transaction: it is to be taken back, as an operation that is none any more. */
export async function giveUp(
  transaction: Transaction<MatcherTables>,
  { updater }: RunningUpdate,
  seq: number,
): Promise<TakenBack> {
  await transaction.updateTable("running_update").set({ run: takenBack, seq }).where("updater", "=", updater).execute();
  return { updater, seq };
}

/**
 * Takes an updater's place, so that no update of it becomes an operation before this is over. One that is on its way is taken back.
 * @param run the same for all that do the same, who then do it together
 */
export async function takePlace(store: MatcherStore, { run, updater }: StagingRun): Promise<RunningUpdate> {
  // Ends: each turn takes back an update that has begun since the last one.
  for (;;) {
    const other = await findRunning(store.db, updater);
    if (other !== undefined && other.run !== run) await takeBackUpdate(store, other, undefined);
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
