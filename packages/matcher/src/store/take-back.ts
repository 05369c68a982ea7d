import { oneAtATime } from "@plimsoll/store";
import { sql, type Transaction } from "kysely";
import { ChangedKeys, findLaterRules, inSteps, type KeyedRow, takeBackRules } from "./current-rules.ts";
import { deleteRows, reopenRows } from "./forget-operations.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";
import { advisoryWrites } from "./update-operations.ts";

/** The run of an update that is being taken back, by one process or several together. */
export const takenBack = "";

/** An update that is being taken back. */
export interface TakenBack {
  readonly updater: string;
  readonly seq: number;
}

/** Rows of one transaction: to delete one, with its text and its rules, takes several times as long as to write it. */
const rowsPerBatch = 500;

const changes = [
  { column: "valid_from", change: deleteRows },
  { column: "valid_to", change: reopenRows },
] as const;

/**
 * Takes back all that an updater's rows say as of later operations than the one that is shown, in short transactions, none of which anyone
 * can see. It ends early where the signal is aborted, or another process has come to the end.
 */
export async function takeBackLater(
  store: MatcherStore,
  update: TakenBack,
  signal: AbortSignal | undefined,
): Promise<void> {
  const shown = await findShown(store, update.updater);
  const step = takingSteps(store, update, signal);
  for (const table of ["advisory", "enrichment"] as const) {
    for (const { column, change } of changes) {
      // Ends: each turn takes back one operation.
      for (;;) {
        const seq = await findLater(store, { table, column, updater: update.updater, shown });
        if (seq === undefined) break;
        const rows = sql`${sql.ref(column)} = ${seq} and updater = ${update.updater}`;
        const inBatches = async (transaction: Transaction<MatcherTables>) => {
          const changed = await change(transaction, { table, condition: rows, limit: rowsPerBatch });
          await takeBackRulesOf(transaction, update, { shown, rows: changed });
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
  await takeBackLaterRules(store, { updater: update.updater, shown }, step);
  await step((transaction) => transaction.deleteFrom("running_update").where("updater", "=", update.updater).execute());
}

/** Runs work in a transaction of its own; undefined where there is nothing to do any more. */
type RunStep = <Result>(
  work: (transaction: Transaction<MatcherTables>) => Promise<Result>,
) => Promise<Result | undefined>;

function takingSteps(store: MatcherStore, { updater, seq }: TakenBack, signal: AbortSignal | undefined): RunStep {
  return async (work) => {
    if (signal?.aborted === true) return undefined;
    return store.transaction(async (transaction) => {
      await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
      const found = transaction.selectFrom("running_update").select("seq").where("updater", "=", updater);
      const own = await found.where("run", "=", takenBack).where("seq", "=", seq).executeTakeFirst();
      return own === undefined ? undefined : work(transaction);
    });
  };
}

/** Of an updater that shows nothing, everything is later. */
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

/** The first operation after the one that is shown as of which rows begin, or end. */
async function findLater({ db }: MatcherStore, { table, column, updater, shown }: Later): Promise<number | undefined> {
  const rows = db.selectFrom(table).select(column).where("updater", "=", updater).where(column, ">", shown);
  const first = await rows.orderBy(column).limit(1).executeTakeFirst();
  return first === undefined ? undefined : Number(first[column]);
}

/** The rules of an update's first snapshot are found by their advisories alone. */
async function takeBackRulesOf(
  transaction: Transaction<MatcherTables>,
  { updater }: TakenBack,
  { shown, rows }: { readonly shown: number; readonly rows: readonly Partial<KeyedRow>[] },
): Promise<void> {
  const keys = new ChangedKeys();
  keys.add(rows.filter((row): row is KeyedRow => row.package_name !== undefined));
  for (const some of inSteps(keys.inOrder())) await takeBackRules(transaction, { updater, shown }, some);
}

async function takeBackLaterRules(
  store: MatcherStore,
  { updater, shown }: { readonly updater: string; readonly shown: number },
  step: RunStep,
): Promise<void> {
  for (const ecosystem of await findEcosystems(store, updater)) {
    const keys = new ChangedKeys();
    keys.add(await findLaterRules(store, { updater, ecosystem, shown }));
    for (const some of inSteps(keys.inOrder()))
      await step((transaction) => takeBackRules(transaction, { updater, shown }, some));
  }
}

/** The ecosystems that an updater speaks of, or has spoken of. */
export async function findEcosystems({ db }: MatcherStore, updater: string): Promise<readonly string[]> {
  const rows = db.selectFrom("updater_ecosystem").select("ecosystem").distinct().where("updater", "=", updater);
  return (await rows.execute()).map(({ ecosystem }) => ecosystem);
}
