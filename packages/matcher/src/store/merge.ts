import type { StoreKind } from "@plimsoll/store";
import { type RawBuilder, sql, type Transaction } from "kysely";
import type { OnStep } from "../values/abort.ts";
import { beginRules, type ChangedKeys, inSteps, type KeyedRow } from "./current-rules.ts";
import { joinUpdate, type RunningUpdate } from "./running-update.ts";
import { advisoryContent, type ContentColumns, enrichmentContent } from "./same-columns.ts";
import { eachStep, isInStep, type Step, type Walk } from "./steps.ts";
import type { MatcherStore, MatcherTables, UpdateKind } from "./tables.ts";

/** A table with intervals and where its snapshots are staged. */
interface MergeTable {
  readonly table: "advisory" | "enrichment";
  readonly staging: "advisory_staging" | "enrichment_staging";
  /** The column that merging goes along. */
  readonly key: string;
  readonly content: ContentColumns;
  /** What a statement tells of the rows it changed. */
  readonly told: readonly string[];
}

/** What is merged of each kind of update. */
export const mergeTables = {
  vulnerability: {
    table: "advisory",
    staging: "advisory_staging",
    key: "advisory_id",
    content: advisoryContent,
    told: ["ecosystem", "package_name"],
  },
  enrichment: {
    table: "enrichment",
    staging: "enrichment_staging",
    key: "tag",
    content: enrichmentContent,
    told: ["tag"],
  },
} as const satisfies Record<string, MergeTable>;

/** Whether an updater has rows that hold now. */
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

/** A run whose staged rows are written. */
export interface MergeRun {
  readonly kind: keyof typeof mergeTables;
  readonly run: string;
  readonly updater: string;
}

/** An update that changes what is there of its updater. */
interface ChangingUpdate extends MergeRun {
  readonly seq: number;
}

/** What a merge changed: rows that began and rows that ended. A changed advisory counts in both. */
export interface MergeCounts {
  readonly added: number;
  readonly removed: number;
}

/**
 * Ends the rows and begins the staged ones that `findDifference` has left, as of the update's operation: in short transactions, and invisible
 * before that operation is there. Notes the keys whose advisories are not what they were.
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
    await eachStep(store, walk, async (transaction, step) => {
      onStep();
      await joinUpdate(store, transaction, update);
      await planByIndex(transaction, store.kind);
      changed += await change(transaction, step);
    });
    return changed;
  };
  const removed = await along(endedRows(changing), (transaction, step) =>
    runNoting(transaction, changing, { keys, query: endStaged(changing, step) }),
  );
  const added = await along(stagedRows(changing), async (transaction, step) => {
    await keepTexts(transaction, changing, step);
    return runNoting(transaction, changing, { keys, query: beginStaged(changing, step) });
  });
  return { added, removed };
}

/** Makes the rules of all keys that an update changes, as of its operation. */
export async function writeRules(
  store: MatcherStore,
  update: RunningUpdate,
  { keys, onStep }: { readonly keys: ChangedKeys; readonly onStep: OnStep },
): Promise<void> {
  for (const step of inSteps(keys.inOrder())) {
    onStep();
    await store.transaction(async (transaction) => {
      await joinUpdate(store, transaction, update);
      await beginRules(transaction, store.kind, { ...update, keys: step });
    });
  }
}

/** What is staged of a run. */
type Staged = Pick<MergeRun, "kind" | "run">;

/** The way along the staged rows of a run. */
export function stagedRows({ kind, run }: Staged): Walk {
  const { staging, key } = mergeTables[kind];
  return { table: staging, key, where: sql`run = ${run}` };
}

function endedRows({ run }: Pick<MergeRun, "run">): Walk {
  return { table: "ended_staging", key: "row_key", where: sql`run = ${run}` };
}

/** Runs a statement that begins or ends rows, counts those, and notes the keys of advisories among them. */
async function runNoting(
  transaction: Transaction<MatcherTables>,
  { kind }: MergeRun,
  { keys, query }: { readonly keys: ChangedKeys; readonly query: RawBuilder<unknown> },
): Promise<number> {
  const returning = sql`returning ${sql.join(mergeTables[kind].told.map((column) => sql.ref(column)))}`;
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

/** Keeps the texts of the staged rows of one step; those that are there already stay. */
async function keepTexts(transaction: Transaction<MatcherTables>, { kind, run }: MergeRun, step: Step): Promise<void> {
  const { staging, key } = mergeTables[kind];
  await sql`insert into shared_text (id, text) select id, text from text_staging
    where run = ${run} and id in (select text_id from ${sql.table(staging)} as s
      where s.run = ${run} and ${isInStep(sql.ref(`s.${key}`), step)})
    on conflict do nothing`.execute(transaction);
}

/** Everything but looking rows up in an index, one by one. */
const otherPlans = ["seqscan", "bitmapscan", "hashjoin", "mergejoin", "material"];

/**
 * Makes PostgreSQL merge by index, however large it believes the tables to be: what it knows of them is of a time before
 * this transaction filled them, and the plans for that take hours. SQLite does so anyway.
 */
export async function planByIndex(transaction: Transaction<MatcherTables>, kind: StoreKind): Promise<void> {
  if (kind === "sqlite") return;
  const settings = otherPlans.map((plan) => sql`set_config(${`enable_${plan}`}, 'off', true)`);
  await sql`select ${sql.join(settings)}`.execute(transaction);
}

/**
 * Tells PostgreSQL how large the tables are now, so that look-ups are planned well from the first on. It leaves tables out that belong
 * to another role, with a warning. SQLite is told after the transaction (`optimize`), where it takes no time from others.
 */
export async function analyze(transaction: Transaction<MatcherTables>, kind: StoreKind): Promise<void> {
  if (kind === "postgres") await sql`analyze advisory, current_rules, enrichment, shared_text`.execute(transaction);
}

/** Makes the updater's ecosystems what the run brought; a delta only adds to them. */
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
