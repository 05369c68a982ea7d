import { type RawBuilder, sql, type Transaction } from "kysely";
import type { OnStep } from "../values/abort.ts";
import { type MergeRun, mergeTables, planByIndex, stagedRows } from "./merge.ts";
import { sameColumns } from "./same-columns.ts";
import { eachStep, isInStep, type Step } from "./steps.ts";
import type { MatcherStore, MatcherTables, UpdateKind } from "./tables.ts";

/** A staged run of an updater that was loaded before. */
export interface StagedRun extends MergeRun {
  /** Whether it is a delta: only the records that it names change. */
  readonly isDelta: boolean;
}

/** The column with the name of a row's record. */
const recordColumns = { vulnerability: "name", enrichment: "tag" } as const satisfies Record<UpdateKind, string>;

/**
 * Computes the changes of a staged run before it is written: it stages the rows that end, and deletes staged rows that are already valid, in short
 * transactions. Then only the changes are left to write. The result is correct while no operation of the updater is added or deleted, which
 * the publishing transaction checks.
 */
export async function findDifference(store: MatcherStore, run: StagedRun, onStep: OnStep): Promise<void> {
  const { table, key } = mergeTables[run.kind];
  const step = (work: (transaction: Transaction<MatcherTables>, step: Step) => Promise<void>) => {
    return async (transaction: Transaction<MatcherTables>, at: Step) => {
      await planByIndex(transaction, store.kind);
      await work(transaction, at);
    };
  };
  if (run.isDelta) {
    // A walk along all valid rows needs no index by record, which would slow down full updates.
    const holding = { table, key, where: sql`updater = ${run.updater} and valid_to is null`, onStep };
    await eachStep(
      store,
      holding,
      step((transaction, at) => stageEnded(transaction, run, at)),
    );
    await eachStep(
      store,
      { ...stagedRows(run), onStep },
      step((transaction, at) => unstageUnchanged(transaction, run, at)),
    );
    return;
  }
  const both = step(async (transaction, at) => {
    await stageEnded(transaction, run, at);
    await unstageUnchanged(transaction, run, at);
  });
  await eachStep(store, { ...stagedRows(run), onStep }, both);
}

async function stageEnded(transaction: Transaction<MatcherTables>, run: StagedRun, step: Step): Promise<void> {
  const { table, staging, key, content } = mergeTables[run.kind];
  await sql`insert into ended_staging (run, updater, row_key, text_id)
    select ${sql`cast(${run.run} as text)`}, a.updater, ${sql.ref(`a.${key}`)}, a.text_id from ${sql.table(table)} as a
    where a.updater = ${run.updater} and a.valid_to is null and ${isInStep(sql.ref(`a.${key}`), step)}
    ${run.isDelta ? sql`and ${isNamed(run)}` : sql``}
    and not exists (select 1 from ${sql.table(staging)} as s where s.run = ${run.run} and ${sameColumns(content, "s", "a")})`.execute(
    transaction,
  );
}

/** Whether a delta concerns a row: it names the row's record, or has a row with its key. */
function isNamed({ kind, run }: StagedRun): RawBuilder<boolean> {
  const { staging, key } = mergeTables[kind];
  return sql<boolean>`(exists (select 1 from record_staging as r where r.run = ${run} and r.record = ${sql.ref(`a.${recordColumns[kind]}`)})
    or exists (select 1 from ${sql.table(staging)} as t where t.run = ${run} and ${sql.ref(`t.${key}`)} = ${sql.ref(`a.${key}`)}))`;
}

async function unstageUnchanged(transaction: Transaction<MatcherTables>, run: StagedRun, step: Step): Promise<void> {
  const { table, staging, key, content } = mergeTables[run.kind];
  await sql`delete from ${sql.table(staging)} as s where s.run = ${run.run} and ${isInStep(sql.ref(`s.${key}`), step)}
    and exists (select 1 from ${sql.table(table)} as a
      where a.updater = ${run.updater} and a.valid_to is null and ${sameColumns(content, "s", "a")})`.execute(
    transaction,
  );
}

/** Counts the rows of an updater that have not ended, which are valid once its running update is visible. */
export async function countHolding(
  store: MatcherStore,
  { kind, updater }: Pick<MergeRun, "kind" | "updater">,
): Promise<number> {
  const count: RawBuilder<{ rows: number }> = sql`select count(*) as rows from ${sql.table(mergeTables[kind].table)}
    where updater = ${updater} and valid_to is null`;
  const { rows } = await store.transaction((transaction) => count.execute(transaction));
  return Number(rows[0]?.rows ?? 0);
}
