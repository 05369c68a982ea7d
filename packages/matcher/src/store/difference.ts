import { type RawBuilder, sql, type Transaction } from "kysely";
import type { OnStep } from "../values/abort.ts";
import { type MergeRun, mergeTables, planByIndex, stagedRows } from "./merge.ts";
import { sameColumns } from "./same-columns.ts";
import { eachStep, isInStep, type Step } from "./steps.ts";
import type { MatcherStore, MatcherTables, UpdateKind } from "./tables.ts";

/** What was staged, of an updater that has been loaded before. */
export interface StagedRun extends MergeRun {
  /** Whether only the records that it names change. */
  readonly isDelta: boolean;
}

/** The column that holds the name of a row's record. */
const recordColumns = { vulnerability: "name", enrichment: "tag" } as const satisfies Record<UpdateKind, string>;

/**
 * Finds what a staged run changes, before anything is: notes the rows that it ends, and forgets staged rows that hold already. In short
 * transactions, so that only the changes are left to write. It is right as long as no other operation of the updater comes or goes, which
 * the transaction that makes them visible makes sure of.
 */
export async function findDifference(store: MatcherStore, run: StagedRun, onStep: OnStep): Promise<void> {
  const { table, key } = mergeTables[run.kind];
  const step = (work: (transaction: Transaction<MatcherTables>, step: Step) => Promise<void>) => {
    return async (transaction: Transaction<MatcherTables>, at: Step) => {
      onStep();
      await planByIndex(transaction, store.kind);
      await work(transaction, at);
    };
  };
  if (run.isDelta) {
    // Along all rows that hold, so that no index by record is needed: full updates would pay for it.
    const holding = { table, key, where: sql`updater = ${run.updater} and valid_to is null` };
    await eachStep(
      store,
      holding,
      step((transaction, at) => noteEnded(transaction, run, at)),
    );
    await eachStep(
      store,
      stagedRows(run),
      step((transaction, at) => forgetUnchanged(transaction, run, at)),
    );
    return;
  }
  const both = step(async (transaction, at) => {
    await noteEnded(transaction, run, at);
    await forgetUnchanged(transaction, run, at);
  });
  await eachStep(store, stagedRows(run), both);
}

async function noteEnded(transaction: Transaction<MatcherTables>, run: StagedRun, step: Step): Promise<void> {
  const { table, staging, key, content } = mergeTables[run.kind];
  await sql`insert into ended_staging (run, updater, row_key, text_id)
    select ${sql`cast(${run.run} as text)`}, a.updater, ${sql.ref(`a.${key}`)}, a.text_id from ${sql.table(table)} as a
    where a.updater = ${run.updater} and a.valid_to is null and ${isInStep(sql.ref(`a.${key}`), step)}
    ${run.isDelta ? sql`and ${isNamed(run)}` : sql``}
    and not exists (select 1 from ${sql.table(staging)} as s where s.run = ${run.run} and ${sameColumns(content, "s", "a")})`.execute(
    transaction,
  );
}

/** Whether a delta speaks of a row: it names its record, or brings it. */
function isNamed({ kind, run }: StagedRun): RawBuilder<boolean> {
  const { staging, key } = mergeTables[kind];
  return sql<boolean>`(exists (select 1 from record_staging as r where r.run = ${run} and r.record = ${sql.ref(`a.${recordColumns[kind]}`)})
    or exists (select 1 from ${sql.table(staging)} as t where t.run = ${run} and ${sql.ref(`t.${key}`)} = ${sql.ref(`a.${key}`)}))`;
}

async function forgetUnchanged(transaction: Transaction<MatcherTables>, run: StagedRun, step: Step): Promise<void> {
  const { table, staging, key, content } = mergeTables[run.kind];
  await sql`delete from ${sql.table(staging)} as s where s.run = ${run.run} and ${isInStep(sql.ref(`s.${key}`), step)}
    and exists (select 1 from ${sql.table(table)} as a
      where a.updater = ${run.updater} and a.valid_to is null and ${sameColumns(content, "s", "a")})`.execute(
    transaction,
  );
}

/** Counts the rows of an updater that have not ended: those that hold when its running update is visible. */
export async function countHolding(
  store: MatcherStore,
  { kind, updater }: Pick<MergeRun, "kind" | "updater">,
): Promise<number> {
  const count: RawBuilder<{ rows: number }> = sql`select count(*) as rows from ${sql.table(mergeTables[kind].table)}
    where updater = ${updater} and valid_to is null`;
  const { rows } = await store.transaction((transaction) => count.execute(transaction));
  return Number(rows[0]?.rows ?? 0);
}
