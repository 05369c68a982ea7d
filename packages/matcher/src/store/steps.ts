import { type RawBuilder, sql, type Transaction } from "kysely";
import type { OnStep } from "../values/abort.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";

/** A walk along the rows of a table, in the order of a key. */
export interface Walk {
  readonly table: string;
  readonly key: string;
  readonly where: RawBuilder<unknown>;
  /** Awaited before each step. */
  readonly onStep?: OnStep;
}

/** A part of a walk: the keys after `from`, up to and including `to`. Without `from` it is the first part, without `to` the last. */
export interface Step {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The number of rows of one step, so that no transaction takes long. */
export const rowsPerStep = 2_000;

/** Does work along a walk, with one transaction for each step. */
export async function eachStep(
  store: MatcherStore,
  walk: Walk,
  work: (transaction: Transaction<MatcherTables>, step: Step) => Promise<void>,
): Promise<void> {
  let from: string | undefined;
  do {
    await walk.onStep?.();
    from = await store.transaction(async (transaction) => {
      const to = await findStepEnd(transaction, walk, from);
      await work(transaction, { from, to });
      return to;
    });
  } while (from !== undefined);
}

/** Whether a key is in a step. */
export function isInStep(key: RawBuilder<unknown>, { from, to }: Step): RawBuilder<unknown> {
  const lower = from === undefined ? sql`${key} >= ''` : sql`${key} > ${from}`;
  return to === undefined ? lower : sql`${lower} and ${key} <= ${to}`;
}

/** The last key of the step after `from`; undefined if the rest is one step. */
async function findStepEnd(
  transaction: Transaction<MatcherTables>,
  { table, key, where }: Walk,
  from: string | undefined,
): Promise<string | undefined> {
  const { rows } = await sql<{ key: string }>`
    select ${sql.ref(key)} as key from ${sql.table(table)}
    where ${where} and ${isInStep(sql.ref(key), { from, to: undefined })}
    order by ${sql.ref(key)} limit 1 offset ${rowsPerStep - 1}`.execute(transaction);
  return rows[0]?.key;
}
