import { type Advisory, type EnrichmentRecord, type FeedItem, type RecordChange, ScanError } from "@plimsoll/core";
import { oneAtATime } from "@plimsoll/store";
import type { Transaction } from "kysely";
import { type OnStep, throwIfAborted } from "./abort.ts";
import { ChangedKeys, refreshRules } from "./store/current-rules.ts";
import { countHolding, findDifference } from "./store/difference.ts";
import { encodeAdvisories, encodeRecords, type TaggedRecord } from "./store/encoded-batch.ts";
import type { DroppedRecords, FeedProblem } from "./store/feed-status.ts";
import {
  beginFirstLoad,
  countLoaded,
  endLoad,
  type FirstLoad,
  forgetLoad,
  loadAdvisories,
  loadEnrichments,
  loadRules,
} from "./store/first-load.ts";
import {
  analyze,
  type MergeCounts,
  type MergeRun,
  mergeEcosystems,
  mergeStaged,
  mergeTables,
  planByIndex,
} from "./store/merge.ts";
import {
  beginStaging,
  clearRun,
  countStaged,
  type StagingRun,
  stageAdvisories,
  stageEnrichments,
  stageRecords,
} from "./store/staging.ts";
import type { MatcherStore, MatcherTables, UpdateKind } from "./store/tables.ts";
import {
  advisoryWrites,
  appendOperation,
  type FeedContent,
  findDropped,
  findLatestOperation,
  putChecked,
  putContent,
  type UpdateOperation,
} from "./store/update-operations.ts";

/** What was staged of a snapshot or of a delta. */
export interface StagedContent {
  /** Items that can be used, repeated ones included. */
  readonly items: number;
  /** Advisories whose id came again; the last one counts. */
  readonly duplicates: number;
  /** Rows of all of it. */
  readonly rows: number;
  /** Items that cannot be used. */
  readonly dropped: DroppedRecords;
  readonly ecosystems: ReadonlySet<string>;
  /** Whether only the records that it names change. */
  readonly isDelta: boolean;
  /** Where nothing of the updater was there before: its rows are where they stay. */
  readonly load?: FirstLoad;
  /** Rows that wait to be merged; undefined for a first load. */
  readonly waiting?: number;
}

/** What a feed says, as it streams in: all of it, or the records that changed. */
export type Content = Snapshot | Delta;

/** A snapshot as it streams in. */
export type Snapshot =
  | { readonly kind: "vulnerability"; readonly items: AsyncIterable<FeedItem<Advisory>> }
  | { readonly kind: "enrichment"; readonly items: AsyncIterable<FeedItem<EnrichmentRecord>> };

/** A delta as it streams in. */
export type Delta =
  | { readonly kind: "vulnerability"; readonly changes: AsyncIterable<FeedItem<RecordChange<Advisory>>> }
  | { readonly kind: "enrichment"; readonly changes: AsyncIterable<FeedItem<RecordChange<EnrichmentRecord>>> };

/** Called after each batch with the items so far; throwing ends the run. */
type OnBatch = (items: number) => Promise<void>;

/** How content is staged. */
export interface StagingOptions {
  readonly onBatch: OnBatch;
  /** Called between the steps of finding what changes. */
  readonly onStep: OnStep;
  readonly signal: AbortSignal | undefined;
}

/** Rows of one staging transaction, and how many dropped records are kept with their places. */
const batchSize = 2_000;
const maxDroppedKept = 20;

/**
 * Stages a snapshot or a delta, invisible to readers and in short transactions: what is left for `publish` is to write what
 * changes. Whatever goes wrong, what was there before stays as it is; `forgetStaged` is to be called in the end.
 */
export async function stageContent(
  store: MatcherStore,
  run: StagingRun,
  content: Content,
  options: StagingOptions,
): Promise<StagedContent> {
  const { signal, onStep } = options;
  await beginStaging(store, run, signal);
  throwIfAborted(signal, "reading the feed");
  const load = "items" in content ? await beginFirstLoad(store, run, signal) : undefined;
  const tally = new Tally();
  const keys = new ChangedKeys();
  const at: Staging = { ...options, store, run, tally, ...(load !== undefined && { load }), keys };
  if (content.kind === "vulnerability") await stageAdvisoryContent(at, content);
  else await stageFactContent(at, content);
  const { kind } = content;
  const isDelta = "changes" in content;
  const rows =
    load === undefined
      ? await store.transaction((transaction) => countStaged(transaction, run.run, kind))
      : await countLoaded(store, mergeTables[kind].table, load);
  const staged = { ...tally.counts, isDelta, rows, duplicates: kind === "vulnerability" ? tally.items - rows : 0 };
  if (load !== undefined) {
    await loadRules(store, load, keys, onStep);
    return { ...staged, load };
  }
  // A feed that has nothing any more is refused later: nothing is to be compared with it.
  if (isDelta || staged.items > 0) await findDifference(store, { ...run, kind, isDelta }, onStep);
  return { ...staged, waiting: await store.transaction((transaction) => countStaged(transaction, run.run, kind)) };
}

/** Forgets what was staged of a run that has become an operation or has failed. */
export async function forgetStaged(
  store: MatcherStore,
  run: StagingRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  await clearRun(store, run.run, signal);
  await forgetLoad(store, run, signal);
}

/** A run that stages its content. */
interface Staging extends StagingOptions {
  readonly store: MatcherStore;
  readonly run: StagingRun;
  readonly load?: FirstLoad;
  /** The keys of what was loaded. */
  readonly keys: ChangedKeys;
  readonly tally: Tally;
}

async function stageAdvisoryContent(at: Staging, content: Content & { readonly kind: "vulnerability" }): Promise<void> {
  const stage = (batch: readonly Advisory[]) => stageAdvisoryBatch(at, batch);
  if ("items" in content) return stageItems(at, content.items, stage);
  await stageChanges(at, content.kind, content.changes, {
    isOf: ({ name }, record) => name === record,
    stage: (changes) => stage(changes.flatMap(({ items }) => items)),
  });
}

async function stageFactContent(at: Staging, content: Content & { readonly kind: "enrichment" }): Promise<void> {
  const tagged = (record: EnrichmentRecord) => record.tags.map((tag) => ({ tag, record }));
  if ("items" in content) return stageItems(at, content.items, (batch) => stageFactBatch(at, batch.flatMap(tagged)));
  await stageChanges(at, content.kind, content.changes, {
    isOf: ({ tags }, record) => tags.includes(record),
    stage: (changes) =>
      stageFactBatch(
        at,
        changes.flatMap(({ record: tag, items }) => items.map((record) => ({ tag, record }))),
      ),
  });
}

async function stageFactBatch({ store, run, load }: Staging, records: readonly TaggedRecord[]): Promise<void> {
  const batch = encodeRecords(records);
  await (load === undefined ? stageEnrichments(store, run, batch) : loadEnrichments(store, load, batch));
}

async function stageItems<Item>(
  { tally, onBatch, signal }: Staging,
  items: AsyncIterable<FeedItem<Item>>,
  stage: (batch: readonly Item[]) => Promise<void>,
): Promise<void> {
  await eachBatch(untilAborted(items, signal), tally, async (batch) => {
    tally.items += batch.length;
    await stage(batch);
    await onBatch(tally.items);
  });
}

interface ChangeStaging<Item> {
  readonly isOf: (item: Item, record: string) => boolean;
  /** Stages changes of which none names a record twice. */
  readonly stage: (changes: readonly RecordChange<Item>[]) => Promise<void>;
}

async function stageChanges<Item>(
  { store, run, tally, onBatch, signal }: Staging,
  kind: UpdateKind,
  changes: AsyncIterable<FeedItem<RecordChange<Item>>>,
  { stage, isOf }: ChangeStaging<Item>,
): Promise<void> {
  await eachBatch(untilAborted(changes, signal), tally, async (batch) => {
    const latest = new Map(batch.filter(({ record }) => isText(record)).map((change) => [change.record, change]));
    if (latest.size > 0) await stageRecords(store, run, { kind, records: [...latest.keys()] });
    const usable = [...latest.values()].map((change) => usableChange(change, isOf, tally));
    tally.items += usable.reduce((sum, { items }) => sum + items.length, 0);
    await stage(usable);
    await onBatch(tally.items);
  });
}

/** PostgreSQL stores no NUL. */
const isText = (record: string) => !record.includes("\0");

function usableChange<Item>(
  { record, items }: RecordChange<Item>,
  isOf: ChangeStaging<Item>["isOf"],
  tally: Tally,
): RecordChange<Item> {
  const own = items.filter((item) => isOf(item, record));
  if (own.length < items.length)
    tally.addProblem({ at: record, message: "the change of this record has items of another record" });
  return { record, items: own };
}

async function* untilAborted<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void> {
  for await (const item of items) {
    throwIfAborted(signal, "reading the feed");
    yield item;
  }
}

async function stageAdvisoryBatch(
  { store, run, load, keys, tally }: Staging,
  advisories: readonly Advisory[],
): Promise<void> {
  const batch = encodeAdvisories(advisories);
  await (load === undefined ? stageAdvisories(store, run, batch) : loadAdvisories(store, load, batch, keys));
  for (const advisory of batch.refused)
    tally.refuse({ at: advisory.id, message: "a text of it has the character NUL" });
  for (const { ecosystem } of batch.rows) tally.ecosystems.add(ecosystem);
}

/** Counts while a snapshot streams by. */
class Tally {
  items = 0;
  problems = 0;
  readonly first: FeedProblem[] = [];
  readonly ecosystems = new Set<string>();

  addProblem(problem: FeedProblem): void {
    this.problems++;
    if (this.first.length < maxDroppedKept) this.first.push(shortened(problem));
  }

  /** An item that was counted turns out to be none. */
  refuse(problem: FeedProblem): void {
    this.items--;
    this.addProblem(problem);
  }

  get counts(): Pick<StagedContent, "items" | "dropped" | "ecosystems"> {
    const { items, problems, first, ecosystems } = this;
    return { items, dropped: { count: problems, first }, ecosystems };
  }
}

/** Characters of a place or a message that are kept. Both quote outside documents. */
const maxTextLength = 500;

function shortened({ at, message }: FeedProblem): FeedProblem {
  return { at: at.slice(0, maxTextLength), message: message.slice(0, maxTextLength) };
}

async function eachBatch<Item>(
  items: AsyncIterable<FeedItem<Item>>,
  tally: Tally,
  flush: (batch: readonly Item[]) => Promise<void>,
): Promise<void> {
  let batch: Item[] = [];
  for await (const entry of items) {
    if (entry.kind === "problem") {
      tally.addProblem({ at: entry.at, message: entry.message });
      continue;
    }
    if (batch.push(entry.item) < batchSize) continue;
    await flush(batch);
    batch = [];
  }
  await flush(batch);
}

/** Staged content, ready to become an operation. */
export interface Publication {
  readonly operation: UpdateOperation;
  readonly staged: StagedContent;
  readonly checkedAt: number;
  /** The `ref` of the operation that was the updater's latest when the run began. */
  readonly previousRef: string | undefined;
}

/** A recorded operation and what it changed. */
export interface Published {
  readonly operation: UpdateOperation;
  readonly changes: MergeCounts;
}

/**
 * Makes staged content the updater's latest state, within the caller's transaction, in steps of bounded length.
 * @throws ScanError `malformed_feed` when a feed that had advisories has none any more; `aborted` when another run came
 * between
 */
export async function publish(
  store: MatcherStore,
  transaction: Transaction<MatcherTables>,
  { operation, staged, checkedAt, previousRef }: Publication,
  onStep: OnStep,
): Promise<Published> {
  const { updater, ref, kind } = operation;
  await oneAtATime(store, transaction, advisoryWrites, { patient: true });
  onStep();
  const latest = await findLatestOperation(transaction, updater);
  const waiting = staged.load === undefined ? await countStaged(transaction, ref, kind) : undefined;
  if (latest?.ref !== previousRef || waiting !== staged.waiting) {
    throw new ScanError("aborted", `another update of ${updater} came between: this one is dropped`);
  }
  if (!staged.isDelta && staged.items === 0 && (await hasRows(transaction, updater, kind))) {
    throw new ScanError("malformed_feed", `the feed of ${updater} has nothing usable any more: what it had stays`);
  }
  const { seq, date } = await appendOperation(transaction, operation, staged, staged.load?.seq);
  const run = { kind, run: ref, updater, seq };
  const changes =
    staged.load === undefined
      ? await mergeChanges(store, transaction, run, onStep)
      : { added: staged.rows, removed: 0 };
  if (staged.load !== undefined) await endLoad(transaction, staged.load);
  if (staged.isDelta)
    await putContent(transaction, seq, await contentAfterDelta(transaction, run, staged, previousRef));
  if (kind === "vulnerability") await mergeEcosystems(transaction, run, staged);
  await analyze(transaction, store.kind);
  onStep();
  await putChecked(transaction, updater, checkedAt);
  return { operation: { ...operation, date }, changes };
}

async function mergeChanges(
  store: MatcherStore,
  transaction: Transaction<MatcherTables>,
  run: MergeRun,
  onStep: OnStep,
): Promise<MergeCounts> {
  await planByIndex(transaction, store.kind);
  const keys = new ChangedKeys();
  const changes = await mergeStaged(transaction, run, keys, onStep);
  await refreshRules(transaction, store.kind, { updater: run.updater, keys }, onStep);
  return changes;
}

/** What the feed has after a delta: rows of both, and the records that it lacked before as well. */
async function contentAfterDelta(
  transaction: Transaction<MatcherTables>,
  run: MergeRun,
  { dropped }: StagedContent,
  previousRef: string | undefined,
): Promise<FeedContent> {
  const before = previousRef === undefined ? undefined : await findDropped(transaction, previousRef);
  const first = [...dropped.first, ...(before?.first ?? [])].slice(0, maxDroppedKept);
  return {
    rows: await countHolding(transaction, run),
    dropped: { count: dropped.count + (before?.count ?? 0), first },
  };
}

async function hasRows(
  transaction: Transaction<MatcherTables>,
  updater: string,
  kind: Snapshot["kind"],
): Promise<boolean> {
  const table = kind === "vulnerability" ? "advisory" : "enrichment";
  const row = await transaction
    .selectFrom(table)
    .select("updater")
    .where("updater", "=", updater)
    .where("valid_to", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
