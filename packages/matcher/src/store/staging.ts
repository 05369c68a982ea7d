import type { Advisory, EnrichmentRecord } from "@plimsoll/core";
import { oneAtATime } from "@plimsoll/store";
import type { Transaction } from "kysely";
import { encodeAdvisory, isStorable } from "./advisory-row.ts";
import { deleteUnusedTexts, putTexts, textIdOf } from "./shared-texts.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";

/** Who writes advisories, texts and operations takes turns under this name. */
export const advisoryWrites = "matcher.advisories";

/** One run of an updater: what it brings waits in the staging tables, invisible, until it is whole. */
export interface StagingRun {
  /** Becomes the operation's `ref`. */
  readonly run: string;
  readonly updater: string;
}

const stagingTables = ["advisory_staging", "enrichment_staging"] as const;

/** Rows of one statement: the engines allow 32,766 parameters. */
const rowsPerInsert = 1_000;

/**
 * Stages advisories; the last of several with one id wins. Returns those that cannot be stored, because a text of them
 * has a NUL.
 */
export async function stageAdvisories(
  store: MatcherStore,
  { run, updater }: StagingRun,
  advisories: readonly Advisory[],
): Promise<readonly Advisory[]> {
  const rows = new Map<string, MatcherTables["advisory_staging"]>();
  const texts = new Map<string, string>();
  const refused: Advisory[] = [];
  for (const advisory of advisories) {
    const { columns, text } = encodeAdvisory(advisory);
    if (!isStorable(columns)) {
      refused.push(advisory);
      continue;
    }
    rows.set(columns.advisory_id, { run, updater, ...columns });
    texts.set(columns.text_id, text);
  }
  await write(store, texts, async (transaction) => {
    for (const page of pages([...rows.values()])) await putStagedAdvisories(transaction, page);
  });
  return refused;
}

async function putStagedAdvisories(
  transaction: Transaction<MatcherTables>,
  rows: readonly MatcherTables["advisory_staging"][],
): Promise<void> {
  await transaction
    .insertInto("advisory_staging")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["run", "advisory_id"]).doUpdateSet((row) => ({
        ecosystem: row.ref("excluded.ecosystem"),
        package_name: row.ref("excluded.package_name"),
        name: row.ref("excluded.name"),
        is_source: row.ref("excluded.is_source"),
        status: row.ref("excluded.status"),
        introduced: row.ref("excluded.introduced"),
        fixed: row.ref("excluded.fixed"),
        last_affected: row.ref("excluded.last_affected"),
        extra: row.ref("excluded.extra"),
        text_id: row.ref("excluded.text_id"),
      })),
    )
    .execute();
}

/** Stages enrichment records, each under all of its tags. */
export async function stageEnrichments(
  store: MatcherStore,
  { run, updater }: StagingRun,
  records: readonly EnrichmentRecord[],
): Promise<void> {
  const rows: MatcherTables["enrichment_staging"][] = [];
  const texts = new Map<string, string>();
  for (const { tags, record } of records) {
    const text = JSON.stringify({ tags, record });
    const textId = textIdOf(text);
    texts.set(textId, text);
    for (const tag of new Set(tags)) rows.push({ run, updater, tag, text_id: textId });
  }
  await write(store, texts, async (transaction) => {
    for (const page of pages(rows)) {
      const insert = transaction.insertInto("enrichment_staging").values(page);
      await insert.onConflict((conflict) => conflict.doNothing()).execute();
    }
  });
}

/** Forgets what dead runs of an updater left behind. Only for who holds the updater's lock. */
export async function discardStaged(store: MatcherStore, updater: string): Promise<void> {
  await discard(store, "updater", updater);
}

/** Forgets a run that failed. */
export async function discardRun(store: MatcherStore, run: string): Promise<void> {
  await discard(store, "run", run);
}

async function discard(store: MatcherStore, column: "run" | "updater", value: string): Promise<void> {
  await store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, advisoryWrites);
    for (const table of stagingTables) {
      const rows = await transaction.deleteFrom(table).where(column, "=", value).returning("text_id").execute();
      const ids = rows.map(({ text_id }) => text_id);
      await deleteUnusedTexts(transaction, ids);
    }
  });
}

/** Forgets a run whose rows have been merged. */
export async function clearRun(transaction: Transaction<MatcherTables>, run: string): Promise<void> {
  for (const table of stagingTables) await transaction.deleteFrom(table).where("run", "=", run).execute();
}

/** Texts and the rows that name them go in together, so that garbage collection never comes between. */
async function write(
  store: MatcherStore,
  texts: ReadonlyMap<string, string>,
  work: (transaction: Transaction<MatcherTables>) => Promise<void>,
): Promise<void> {
  await store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, advisoryWrites);
    await putTexts(transaction, texts);
    await work(transaction);
  });
}

function* pages<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += rowsPerInsert) yield rows.slice(at, at + rowsPerInsert);
}
