import { type RawBuilder, sql, type Transaction } from "kysely";
import type { OnStep } from "../abort.ts";
import type { ChangedKeys } from "./current-rules.ts";
import { beginStaged, changing, type MergeCounts, type MergeRun, mergeTables, stagedRows } from "./merge.ts";
import { sameColumns } from "./same-columns.ts";
import { isInStep, stepsAlong } from "./steps.ts";
import type { MatcherTables, UpdateKind } from "./tables.ts";

/** The column that holds the name of a row's record. */
const recordColumns = { vulnerability: "name", enrichment: "tag" } as const satisfies Record<UpdateKind, string>;

/**
 * Makes the rows of the records that a delta names what the run staged; other rows stay. Walks along all rows of the updater that hold,
 * in steps of bounded size, so that no index by record is needed: full updates would pay for it. Notes the keys whose advisories changed.
 */
export async function mergeDelta(
  transaction: Transaction<MatcherTables>,
  run: MergeRun,
  keys: ChangedKeys,
  onStep: OnStep,
): Promise<MergeCounts> {
  const { table, staging, key, content } = mergeTables[run.kind];
  const change = changing(transaction, run, keys);
  const same = sameColumns(content, "s", "a");
  const record = sql.ref(`a.${recordColumns[run.kind]}`);
  const holds = sql`updater = ${run.updater} and valid_to is null`;
  let removed = 0;
  for await (const step of stepsAlong(transaction, { table, key, where: holds })) {
    removed += await change(
      sql`update ${sql.table(table)} as a set valid_to = ${run.seq}
        where a.updater = ${run.updater} and a.valid_to is null and ${isInStep(sql.ref(`a.${key}`), step)}
        and (exists (select 1 from record_staging as r where r.run = ${run.run} and r.record = ${record})
          or exists (select 1 from ${sql.table(staging)} as t where t.run = ${run.run} and ${sql.ref(`t.${key}`)} = ${sql.ref(`a.${key}`)}))
        and not exists (select 1 from ${sql.table(staging)} as s where s.run = ${run.run} and ${same})`,
    );
    onStep();
  }
  let added = 0;
  for await (const step of stepsAlong(transaction, stagedRows(run))) {
    added += await change(beginStaged(run, step));
    onStep();
  }
  return { added, removed };
}

/** Counts the rows of an updater that hold now. */
export async function countHolding(transaction: Transaction<MatcherTables>, run: MergeRun): Promise<number> {
  const count: RawBuilder<{ rows: number }> = sql`select count(*) as rows from ${sql.table(mergeTables[run.kind].table)}
    where updater = ${run.updater} and valid_to is null`;
  const { rows } = await count.execute(transaction);
  return Number(rows[0]?.rows ?? 0);
}
