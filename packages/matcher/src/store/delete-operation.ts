import { oneAtATime } from "@plimsoll/store";
import { sql, type Transaction } from "kysely";
import { ChangedKeys, findLaterRules, inSteps, type KeyedRow, readyRules } from "./current-rules.ts";
import { deleteRows } from "./forget-operations.ts";
import { giveUp, isRunning, type RunningUpdate, takePlace } from "./running-update.ts";
import { eachStep, isInStep, rowsPerStep } from "./steps.ts";
import { intervalTables, type MatcherStore, type MatcherTables } from "./tables.ts";
import { findEcosystems, type TakenBack, takeBackLater } from "./take-back.ts";
import { advisoryWrites, findOperation, operationsOf, showOperation } from "./update-operations.ts";

/**
 * Forgets one operation, as if the updater had never run: what only it showed is gone, and if it was the latest, the one before is the latest
 * again. Short transactions, of which one changes what is shown: readers see all of it or nothing, and others do not wait long. An
 * update of the updater that is on its way is dropped where the latest goes. Returns whether there was such an operation.
 * @example
 * declare const store: MatcherStore;
 * const isDeleted = await deleteOperation(store, "5e4b387e-88d3-4364-86fd-063447a6fad2");
 */
export async function deleteOperation(store: MatcherStore, ref: string): Promise<boolean> {
  // Ends: each turn but the last means that another process has begun an update, or forgotten an operation.
  for (;;) {
    const found = await findPlace(store.db, ref);
    if (found === undefined) return false;
    if (await (found.next === undefined ? deleteLatest(store, found) : deleteEarlier(store, found))) return true;
  }
}

/** An operation between those before and after it; 0 and undefined where there are none. */
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

/** Runs work while an operation is still where it was found; whether it was. */
async function whileThere<Result>(
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

/** Nothing shows what held between its neighbours alone. Where the process dies, it goes when operations from then on are forgotten. */
async function deleteEarlier(store: MatcherStore, place: Place): Promise<boolean> {
  const { updater, seq, previous, next } = place;
  const isGone = await whileThere(store, place, async (transaction) => {
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

/** The operation becomes an update that is not there yet, and is taken back as one that has failed. */
async function deleteLatest(store: MatcherStore, place: Place): Promise<boolean> {
  const { ref, updater } = place;
  const own = await takePlace(store, { run: `delete ${ref}`, updater });
  if (!(await readyAllRules(store, own, place))) return false;
  const left = await whileThere(store, place, async (transaction) =>
    (await isRunning(transaction, own)) ? hide(transaction, own, place) : undefined,
  );
  if (left === undefined) return false;
  await takeBackLater(store, left, undefined);
  return true;
}

/** Shows the operation before. */
async function hide(
  transaction: Transaction<MatcherTables>,
  own: RunningUpdate,
  { updater, seq, previous }: Place,
): Promise<TakenBack> {
  await transaction.deleteFrom("update_operation").where("seq", "=", seq).execute();
  await sql`delete from updater_ecosystem where updater = ${updater} and valid_from > ${previous}`.execute(transaction);
  await sql`update updater_ecosystem set valid_to = null where updater = ${updater} and valid_to > ${previous}`.execute(
    transaction,
  );
  if (previous === 0) await transaction.deleteFrom("updater").where("name", "=", updater).execute();
  else await showOperation(transaction, updater, previous);
  return giveUp(transaction, own, seq);
}

/** Makes ready the rules of all keys that are not as of the operation before; false where another process came between. */
async function readyAllRules(store: MatcherStore, own: RunningUpdate, place: Place): Promise<boolean> {
  const { updater, seq, previous } = place;
  if (previous === 0) return true;
  const keys = new ChangedKeys();
  await noteChangedKeys(store, place, keys);
  for (const ecosystem of await findEcosystems(store, updater))
    keys.add(await findLaterRules(store, { updater, ecosystem, shown: previous }));
  for (const some of inSteps(keys.inOrder())) {
    const isReady = await whileThere(store, place, async (transaction) => {
      if (!(await isRunning(transaction, own))) return undefined;
      await readyRules(transaction, store.kind, { updater, seq, previous, keys: some });
      return true;
    });
    if (isReady === undefined) return false;
  }
  return true;
}

/** Walks along all rows of the updater: no index leads to its later ones in an order that can be stopped at. */
async function noteChangedKeys(store: MatcherStore, { updater, previous }: Place, keys: ChangedKeys): Promise<void> {
  const walk = { table: "advisory", key: "advisory_id", where: sql`updater = ${updater}` };
  await eachStep(store, walk, async (transaction, step) => {
    const later = sql`valid_from > ${previous} or valid_to > ${previous}`;
    const { rows } = await sql<KeyedRow>`select distinct ecosystem, package_name from advisory
      where updater = ${updater} and ${isInStep(sql.ref("advisory_id"), step)} and (${later})`.execute(transaction);
    keys.add(rows);
  });
}
