import { oneAtATime } from "@plimsoll/store";
import { sql, type Transaction } from "kysely";
import { deleteRows } from "./collect-garbage.ts";
import { ChangedKeys, findLaterRules, inSteps, type KeyedRow, prepareRevert } from "./current-rules.ts";
import { findEcosystems, type RevertedUpdate, revertLater } from "./revert-update.ts";
import { abandonUpdate, claimUpdater, isRunning, type RunningUpdate } from "./running-update.ts";
import { eachStep, isInStep, rowsPerStep } from "./steps.ts";
import { intervalTables, type MatcherStore, type MatcherTables } from "./tables.ts";
import { advisoryWrites, findOperation, operationsOf, showOperation } from "./update-operations.ts";

/**
 * Deletes one operation as if the updater had never run: the rows that only it showed are deleted, and if it was the latest, the operation before
 * becomes the latest again. The transactions are short, and one of them changes the visible data, so that readers see all of it or nothing. If the
 * latest operation is deleted, a running update of the updater is dropped. Returns whether the operation existed.
 * @example
 * declare const store: MatcherStore;
 * const isDeleted = await deleteOperation(store, "5e4b387e-88d3-4364-86fd-063447a6fad2");
 */
export async function deleteOperation(store: MatcherStore, ref: string): Promise<boolean> {
  // This ends: each repetition means that another process has begun an update or deleted an operation.
  for (;;) {
    const found = await findPlace(store.db, ref);
    if (found === undefined) return false;
    if (await (found.next === undefined ? deleteLatest(store, found) : deleteEarlier(store, found))) return true;
  }
}

/** An operation with its neighbours; 0 and undefined if there are none. */
interface Place {
  readonly ref: string;
  readonly updater: string;
  readonly seq: number;
  readonly previous: number;
  readonly next: number | undefined;
}

async function findPlace(db: MatcherStore["db"] | Transaction<MatcherTables>, ref: string): Promise<Place | undefined> {
  const operation = await findOperation(db, ref);
  if (operation === undefined) return undefined;
  const { updater, seq } = operation;
  const operations = await operationsOf(db, updater);
  const previous = operations.findLast((other) => other.seq < seq)?.seq ?? 0;
  return { ref, updater, seq, previous, next: operations.find((other) => other.seq > seq)?.seq };
}

/** Runs work in a transaction if the operation and its neighbours are unchanged; undefined if they are not. */
async function whileInPlace<Result>(
  store: MatcherStore,
  place: Place,
  work: (transaction: Transaction<MatcherTables>) => Promise<Result>,
): Promise<Result | undefined> {
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
    const now = await findPlace(transaction, place.ref);
    if (now?.previous !== place.previous || now.next !== place.next) return undefined;
    return work(transaction);
  });
}

/** Deletes an operation that is not the latest, and the rows that were valid only between its neighbours. After a crash, garbage collection deletes them later. */
async function deleteEarlier(store: MatcherStore, place: Place): Promise<boolean> {
  const { updater, seq, previous, next } = place;
  const isGone = await whileInPlace(store, place, async (transaction) => {
    await transaction.deleteFrom("update_operation").where("seq", "=", seq).execute();
    return true;
  });
  if (isGone === undefined) return false;
  const between = sql`updater = ${updater} and valid_from > ${previous} and valid_to <= ${next}`;
  for (const table of intervalTables) {
    for (let deleted = -1; deleted !== 0; )
      deleted = await store.transaction(async (transaction) => {
        await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
        return (await deleteRows(transaction, { table, condition: between, limit: rowsPerStep })).length;
      });
  }
  return true;
}

/** Deletes the latest operation: it becomes an invisible update, which is reverted like a failed one. */
async function deleteLatest(store: MatcherStore, place: Place): Promise<boolean> {
  const { ref, updater } = place;
  const own = await claimUpdater(store, { run: `delete ${ref}`, updater });
  if (!(await prepareAllRules(store, own, place))) return false;
  const left = await whileInPlace(store, place, async (transaction) =>
    (await isRunning(transaction, own)) ? hide(transaction, own, place) : undefined,
  );
  if (left === undefined) return false;
  await revertLater(store, left, undefined);
  return true;
}

/** Makes the operation before the visible one. */
async function hide(
  transaction: Transaction<MatcherTables>,
  own: RunningUpdate,
  { updater, seq, previous }: Place,
): Promise<RevertedUpdate> {
  await transaction.deleteFrom("update_operation").where("seq", "=", seq).execute();
  await sql`delete from updater_ecosystem where updater = ${updater} and valid_from > ${previous}`.execute(transaction);
  await sql`update updater_ecosystem set valid_to = null where updater = ${updater} and valid_to > ${previous}`.execute(
    transaction,
  );
  if (previous === 0) await transaction.deleteFrom("updater").where("name", "=", updater).execute();
  else await showOperation(transaction, updater, previous);
  return abandonUpdate(transaction, own, seq);
}

/** Prepares the rules of all keys that differ from the operation before; false if another process has changed the operations. */
async function prepareAllRules(store: MatcherStore, own: RunningUpdate, place: Place): Promise<boolean> {
  const { updater, seq, previous } = place;
  if (previous === 0) return true;
  const keys = new ChangedKeys();
  await collectChangedKeys(store, place, keys);
  for (const ecosystem of await findEcosystems(store, updater))
    keys.add(await findLaterRules(store, { updater, ecosystem, shown: previous }));
  for (const some of inSteps(keys.inOrder())) {
    const isReady = await whileInPlace(store, place, async (transaction) => {
      if (!(await isRunning(transaction, own))) return undefined;
      await prepareRevert(transaction, store.kind, { updater, seq, previous, keys: some });
      return true;
    });
    if (isReady === undefined) return false;
  }
  return true;
}

/** Collects the keys of later rows. It walks along all rows of the updater, because no index lists the later ones in an order that allows steps. */
async function collectChangedKeys(store: MatcherStore, { updater, previous }: Place, keys: ChangedKeys): Promise<void> {
  const walk = { table: "advisory", key: "advisory_id", where: sql`updater = ${updater}` };
  await eachStep(store, walk, async (transaction, step) => {
    const later = sql`valid_from > ${previous} or valid_to > ${previous}`;
    const { rows } = await sql<KeyedRow>`select distinct ecosystem, package_name from advisory
      where updater = ${updater} and ${isInStep(sql.ref("advisory_id"), step)} and (${later})`.execute(transaction);
    keys.add(rows);
  });
}
