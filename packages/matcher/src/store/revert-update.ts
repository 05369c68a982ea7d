import { oneAtATime } from "@plimsoll/store";
import { sql, type Transaction } from "kysely";
import { deleteRows, reopenRows } from "./collect-garbage.ts";
import { ChangedKeys, findLaterRules, inSteps, type KeyedRow, revertRules } from "./current-rules.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";
import { advisoryWrites } from "./update-operations.ts";

/** The `run` of an update that is being reverted, by one or several processes. */
export const revertRun = "";

/** An update that is being reverted. */
export interface RevertedUpdate {
  readonly updater: string;
  readonly seq: number;
}

/** The number of rows of one transaction: deleting a row with its text and rules takes several times as long as writing it. */
const rowsPerBatch = 500;

const changes = [
  { column: "valid_from", change: deleteRows },
  { column: "valid_to", change: reopenRows },
] as const;

/**
 * Reverts all changes to an updater's rows by operations later than the visible one, in short transactions. Readers never see them. It ends early if the
 * signal is aborted, or if another process has finished the work.
 */
export async function revertLater(
  store: MatcherStore,
  update: RevertedUpdate,
  signal: AbortSignal | undefined,
): Promise<void> {
  const shown = await findShown(store, update.updater);
  const step = revertSteps(store, update, signal);
  for (const table of ["advisory", "enrichment"] as const) {
    for (const { column, change } of changes) {
      // This ends: each repetition reverts one operation.
      for (;;) {
        const seq = await findLater(store, { table, column, updater: update.updater, shown });
        if (seq === undefined) break;
        const rows = sql`${sql.ref(column)} = ${seq} and updater = ${update.updater}`;
        const inBatches = async (transaction: Transaction<MatcherTables>) => {
          const changed = await change(transaction, { table, condition: rows, limit: rowsPerBatch });
          await revertRulesOf(transaction, update, { shown, rows: changed });
          return changed.length;
        };
        for (let changed = -1; changed !== 0; ) {
          const done = await step(inBatches);
          if (done === undefined) return;
          changed = done;
        }
      }
    }
  }
  await revertLaterRules(store, { updater: update.updater, shown }, step);
  await step((transaction) => transaction.deleteFrom("running_update").where("updater", "=", update.updater).execute());
}

/** Runs work in its own transaction; undefined if there is nothing left to do. */
type RunStep = <Result>(
  work: (transaction: Transaction<MatcherTables>) => Promise<Result>,
) => Promise<Result | undefined>;

function revertSteps(store: MatcherStore, { updater, seq }: RevertedUpdate, signal: AbortSignal | undefined): RunStep {
  return async (work) => {
    if (signal?.aborted === true) return undefined;
    return store.transaction(async (transaction) => {
      await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
      const found = transaction.selectFrom("running_update").select("seq").where("updater", "=", updater);
      const own = await found.where("run", "=", revertRun).where("seq", "=", seq).executeTakeFirst();
      return own === undefined ? undefined : work(transaction);
    });
  };
}

/** The visible operation; -1 for an updater without one, so that all operations are later. */
async function findShown({ db }: MatcherStore, updater: string): Promise<number> {
  const row = await db.selectFrom("updater").select("seq").where("name", "=", updater).executeTakeFirst();
  return Number(row?.seq ?? -1);
}

interface Later {
  readonly table: "advisory" | "enrichment";
  readonly column: "valid_from" | "valid_to";
  readonly updater: string;
  readonly shown: number;
}

/** The first operation after the visible one at which rows begin or end. */
async function findLater({ db }: MatcherStore, { table, column, updater, shown }: Later): Promise<number | undefined> {
  const rows = db.selectFrom(table).select(column).where("updater", "=", updater).where(column, ">", shown);
  const first = await rows.orderBy(column).limit(1).executeTakeFirst();
  return first === undefined ? undefined : Number(first[column]);
}

/** Reverts the rules of changed rows. The rules of a first snapshot can be found only by their advisories. */
async function revertRulesOf(
  transaction: Transaction<MatcherTables>,
  { updater }: RevertedUpdate,
  { shown, rows }: { readonly shown: number; readonly rows: readonly Partial<KeyedRow>[] },
): Promise<void> {
  const keys = new ChangedKeys();
  keys.add(rows.filter((row): row is KeyedRow => row.package_name !== undefined));
  for (const some of inSteps(keys.inOrder())) await revertRules(transaction, { updater, shown }, some);
}

async function revertLaterRules(
  store: MatcherStore,
  { updater, shown }: { readonly updater: string; readonly shown: number },
  step: RunStep,
): Promise<void> {
  for (const ecosystem of await findEcosystems(store, updater)) {
    const keys = new ChangedKeys();
    keys.add(await findLaterRules(store, { updater, ecosystem, shown }));
    for (const some of inSteps(keys.inOrder()))
      await step((transaction) => revertRules(transaction, { updater, shown }, some));
  }
}

/** The current and former ecosystems of an updater. */
export async function findEcosystems({ db }: MatcherStore, updater: string): Promise<readonly string[]> {
  const rows = db.selectFrom("updater_ecosystem").select("ecosystem").distinct().where("updater", "=", updater);
  return (await rows.execute()).map(({ ecosystem }) => ecosystem);
}
