import type { StoreKind } from "@plimsoll/store";
import { type RawBuilder, sql, type Transaction } from "kysely";
import type { OnStep } from "../values/abort.ts";
import { beginRules, type ChangedKeys, inSteps, type KeyedRow } from "./current-rules.ts";
import { joinUpdate, type RunningUpdate } from "./running-update.ts";
import { advisoryContent, type ContentColumns, enrichmentContent } from "./same-columns.ts";
import { eachStep, isInStep, type Step, type Walk } from "./steps.ts";
import type { MatcherStore, MatcherTables, UpdateKind } from "./tables.ts";

/** A table with intervals and its staging table. */
interface MergeTable {
  readonly table: "advisory" | "enrichment";
  readonly staging: "advisory_staging" | "enrichment_staging";
  /** The column along which rows are merged. */
  readonly key: string;
  readonly content: ContentColumns;
  /** The columns that a statement returns for changed rows. */
  readonly returned: readonly string[];
}

/** The tables of each kind of update. */
export const mergeTables = {
  vulnerability: {
    table: "advisory",
    staging: "advisory_staging",
    key: "advisory_id",
    content: advisoryContent,
    returned: ["ecosystem", "package_name"],
  },
  enrichment: {
    table: "enrichment",
    staging: "enrichment_staging",
    key: "tag",
    content: enrichmentContent,
    returned: ["tag"],
  },
} as const satisfies Record<string, MergeTable>;

/** Whether an updater has rows that have not ended. */
export async function hasRows({ db }: MatcherStore, updater: string, kind: UpdateKind): Promise<boolean> {
  const row = await db
    .selectFrom(mergeTables[kind].table)
    .select("updater")
    .where("updater", "=", updater)
    .where("valid_to", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A run with staged rows. */
export interface MergeRun {
  readonly kind: keyof typeof mergeTables;
  readonly run: string;
  readonly updater: string;
}

/** An update of an updater that was loaded before. */
interface ChangingUpdate extends MergeRun {
  readonly seq: number;
}

/** The numbers of rows that began and that ended. A changed advisory counts in both. */
export interface MergeCounts {
  readonly added: number;
  readonly removed: number;
}

/**
 * Writes the changes that `findDifference` has computed: it ends rows and inserts the staged ones, from the update's operation on, in short
 * transactions. They are invisible until that operation is published. It collects the keys of changed advisories.
 */
export async function writeChanges(
  store: MatcherStore,
  update: RunningUpdate,
  { kind, keys, onStep }: Pick<MergeRun, "kind"> & { readonly keys: ChangedKeys; readonly onStep: OnStep },
): Promise<MergeCounts> {
  const { run, updater, seq } = update;
  const changing: ChangingUpdate = { kind, run, updater, seq };
  const along = async (
    walk: Walk,
    change: (transaction: Transaction<MatcherTables>, step: Step) => Promise<number>,
  ) => {
    let changed = 0;
    await eachStep(store, { ...walk, onStep }, async (transaction, step) => {
      await joinUpdate(store, transaction, update);
      await planByIndex(transaction, store.kind);
      changed += await change(transaction, step);
    });
    return changed;
  };
  const removed = await along(endedRows(changing), (transaction, step) =>
    runCollecting(transaction, changing, { keys, query: endStaged(changing, step) }),
  );
  const added = await along(stagedRows(changing), async (transaction, step) => {
    await insertTexts(transaction, changing, step);
    return runCollecting(transaction, changing, { keys, query: beginStaged(changing, step) });
  });
  return { added, removed };
}

/** Writes the rules of all keys that an update changes, valid from its operation on. */
export async function writeRules(
  store: MatcherStore,
  update: RunningUpdate,
  { keys, onStep }: { readonly keys: ChangedKeys; readonly onStep: OnStep },
): Promise<void> {
  for (const step of inSteps(keys.inOrder())) {
    await onStep();
    await store.transaction(async (transaction) => {
      await joinUpdate(store, transaction, update);
      await beginRules(transaction, store.kind, { ...update, keys: step });
    });
  }
}

/** The staged rows of a run. */
type Staged = Pick<MergeRun, "kind" | "run">;

/** The walk along the staged rows of a run. */
export function stagedRows({ kind, run }: Staged): Walk {
  const { staging, key } = mergeTables[kind];
  return { table: staging, key, where: sql`run = ${run}` };
}

function endedRows({ run }: Pick<MergeRun, "run">): Walk {
  return { table: "ended_staging", key: "row_key", where: sql`run = ${run}` };
}

/** Runs a statement that begins or ends rows, counts the rows, and collects the keys of advisories. */
async function runCollecting(
  transaction: Transaction<MatcherTables>,
  { kind }: MergeRun,
  { keys, query }: { readonly keys: ChangedKeys; readonly query: RawBuilder<unknown> },
): Promise<number> {
  const returning = sql`returning ${sql.join(mergeTables[kind].returned.map((column) => sql.ref(column)))}`;
  const { rows } = await sql<KeyedRow>`${query} ${returning}`.execute(transaction);
  if (kind === "vulnerability") keys.add(rows);
  return rows.length;
}

function endStaged({ kind, run, updater, seq }: ChangingUpdate, step: Step): RawBuilder<unknown> {
  const { table, key } = mergeTables[kind];
  return sql`update ${sql.table(table)} as a set valid_to = ${seq}
    where a.updater = ${updater} and a.valid_to is null and ${isInStep(sql.ref(`a.${key}`), step)}
    and exists (select 1 from ended_staging as e
      where e.run = ${run} and e.row_key = ${sql.ref(`a.${key}`)} and e.text_id = a.text_id)`;
}

function beginStaged({ kind, run, seq }: ChangingUpdate, step: Step): RawBuilder<unknown> {
  const { table, staging, key, content } = mergeTables[kind];
  const list = sql.join([...content.key, ...content.others].map((column) => sql.ref(column)));
  return sql`insert into ${sql.table(table)} (${list}, updater, valid_from)
    select ${list}, updater, ${sql`cast(${seq} as bigint)`} from ${sql.table(staging)} as s
    where s.run = ${run} and ${isInStep(sql.ref(`s.${key}`), step)}`;
}

/** Inserts the texts of the staged rows of one step; existing ones stay. */
async function insertTexts(
  transaction: Transaction<MatcherTables>,
  { kind, run }: MergeRun,
  step: Step,
): Promise<void> {
  const { staging, key } = mergeTables[kind];
  await sql`insert into shared_text (id, text) select id, text from text_staging
    where run = ${run} and id in (select text_id from ${sql.table(staging)} as s
      where s.run = ${run} and ${isInStep(sql.ref(`s.${key}`), step)})
    on conflict do nothing`.execute(transaction);
}

/** All query plans but index look-ups. */
const otherPlans = ["seqscan", "bitmapscan", "hashjoin", "mergejoin", "material"];

/**
 * Makes PostgreSQL merge by index. Its statistics are older than the rows of this transaction, and the plans that it would choose by them take
 * hours. SQLite always merges by index.
 */
export async function planByIndex(transaction: Transaction<MatcherTables>, kind: StoreKind): Promise<void> {
  if (kind === "sqlite") return;
  const settings = otherPlans.map((plan) => sql`set_config(${`enable_${plan}`}, 'off', true)`);
  await sql`select ${sql.join(settings)}`.execute(transaction);
}

/**
 * Updates PostgreSQL's statistics, so that the first look-ups are planned well. PostgreSQL skips tables of other roles with a warning. SQLite's
 * statistics are updated after the transaction (`optimize`), where this does not block others.
 */
export async function analyze(transaction: Transaction<MatcherTables>, kind: StoreKind): Promise<void> {
  if (kind === "postgres") await sql`analyze advisory, current_rules, enrichment, shared_text`.execute(transaction);
}

/** Sets the updater's ecosystems to those of the run; a delta only adds to them. */
export async function mergeEcosystems(
  transaction: Transaction<MatcherTables>,
  { updater, seq }: RunningUpdate,
  { ecosystems, isDelta }: { readonly ecosystems: ReadonlySet<string>; readonly isDelta: boolean },
): Promise<void> {
  const open = await transaction
    .selectFrom("updater_ecosystem")
    .select("ecosystem")
    .where("updater", "=", updater)
    .where("valid_to", "is", null)
    .execute();
  const known = new Set(open.map(({ ecosystem }) => ecosystem));
  for (const ecosystem of known) {
    if (isDelta || ecosystems.has(ecosystem)) continue;
    await transaction
      .updateTable("updater_ecosystem")
      .set({ valid_to: seq })
      .where("updater", "=", updater)
      .where("ecosystem", "=", ecosystem)
      .where("valid_to", "is", null)
      .execute();
  }
  for (const ecosystem of ecosystems) {
    if (known.has(ecosystem)) continue;
    await transaction
      .insertInto("updater_ecosystem")
      .values({ updater, ecosystem, valid_from: seq, valid_to: null })
      .execute();
  }
}
