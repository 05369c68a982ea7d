import { type Advisory, type EnrichmentRecord, type FeedItem, ScanError } from "@plimsoll/core";
import { oneAtATime } from "@plimsoll/store";
import type { Transaction } from "kysely";
import { type OnStep, throwIfAborted } from "./abort.ts";
import { ChangedKeys, refreshRules } from "./store/current-rules.ts";
import type { DroppedRecords, FeedProblem } from "./store/feed-status.ts";
import { analyze, type MergeCounts, mergeEcosystems, mergeStaged, mergeTexts, planByIndex } from "./store/merge.ts";
import { beginStaging, countStaged, type StagingRun, stageAdvisories, stageEnrichments } from "./store/staging.ts";
import type { MatcherStore, MatcherTables } from "./store/tables.ts";
import {
  advisoryWrites,
  appendOperation,
  findLatestOperation,
  putChecked,
  type UpdateOperation,
} from "./store/update-operations.ts";

/** What was staged of a snapshot. */
export interface StagedSnapshot {
  /** Items that can be used, repeated ones included. */
  readonly items: number;
  /** Advisories whose id came again; the last one counts. */
  readonly duplicates: number;
  /** Rows that wait to be merged. */
  readonly rows: number;
  /** Items that cannot be used. */
  readonly dropped: DroppedRecords;
  readonly ecosystems: ReadonlySet<string>;
}

/** A snapshot as it streams in. */
export type Snapshot =
  | { readonly kind: "vulnerability"; readonly items: AsyncIterable<FeedItem<Advisory>> }
  | { readonly kind: "enrichment"; readonly items: AsyncIterable<FeedItem<EnrichmentRecord>> };

/** Called after each batch with the items so far; throwing ends the run. */
type OnBatch = (items: number) => Promise<void>;

/** How a snapshot is staged. */
export interface StagingOptions {
  readonly onBatch: OnBatch;
  readonly signal: AbortSignal | undefined;
}

/** Rows of one staging transaction, and how many dropped records are kept with their places. */
const batchSize = 2_000;
const maxDroppedKept = 20;

/**
 * Stages a snapshot, invisible to readers. Whatever goes wrong, what was there before stays as it is.
 */
export async function stageSnapshot(
  store: MatcherStore,
  run: StagingRun,
  snapshot: Snapshot,
  { onBatch, signal }: StagingOptions,
): Promise<StagedSnapshot> {
  await beginStaging(store, run, signal);
  throwIfAborted(signal, "reading the feed");
  const tally = new Tally();
  if (snapshot.kind === "vulnerability") {
    await eachBatch(untilAborted(snapshot.items, signal), tally, onBatch, (batch) =>
      stageAdvisoryBatch(store, run, batch, tally),
    );
  } else {
    await eachBatch(untilAborted(snapshot.items, signal), tally, onBatch, (batch) =>
      stageEnrichments(store, run, batch),
    );
  }
  const rows = await store.transaction((transaction) => countStaged(transaction, run.run, snapshot.kind));
  return { ...tally.counts, rows, duplicates: snapshot.kind === "vulnerability" ? tally.items - rows : 0 };
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

async function stageAdvisoryBatch(store: MatcherStore, run: StagingRun, batch: readonly Advisory[], tally: Tally) {
  const refused = new Set(await stageAdvisories(store, run, batch));
  for (const advisory of refused) tally.refuse({ at: advisory.id, message: "a text of it has the character NUL" });
  for (const advisory of batch) if (!refused.has(advisory)) tally.ecosystems.add(advisory.ecosystem);
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

  get counts(): Omit<StagedSnapshot, "duplicates" | "rows"> {
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
  onBatch: OnBatch,
  stage: (batch: readonly Item[]) => Promise<void>,
): Promise<void> {
  let batch: Item[] = [];
  const flush = async () => {
    await stage(batch);
    batch = [];
    await onBatch(tally.items);
  };
  for await (const entry of items) {
    if (entry.kind === "problem") {
      tally.addProblem({ at: entry.at, message: entry.message });
      continue;
    }
    tally.items++;
    if (batch.push(entry.item) === batchSize) await flush();
  }
  await flush();
}

/** A staged snapshot, ready to become an operation. */
export interface Publication {
  readonly operation: UpdateOperation;
  readonly staged: StagedSnapshot;
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
 * Makes a staged snapshot the updater's latest state, within the caller's transaction, in steps of bounded length.
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
  if (latest?.ref !== previousRef || (await countStaged(transaction, ref, kind)) !== staged.rows) {
    throw new ScanError("aborted", `another update of ${updater} came between: this one is dropped`);
  }
  if (staged.items === 0 && (await hasRows(transaction, updater, kind))) {
    throw new ScanError("malformed_feed", `the feed of ${updater} has nothing usable any more: what it had stays`);
  }
  await planByIndex(transaction, store.kind);
  const { seq, date } = await appendOperation(transaction, operation, staged);
  const run = { kind, run: ref, updater, seq };
  await mergeTexts(transaction, run, onStep);
  const keys = new ChangedKeys();
  const changes = await mergeStaged(transaction, run, keys, onStep);
  await refreshRules(transaction, store.kind, keys, onStep);
  if (kind === "vulnerability") await mergeEcosystems(transaction, run, staged.ecosystems);
  await analyze(transaction, store.kind);
  onStep();
  await putChecked(transaction, updater, checkedAt);
  return { operation: { ...operation, date }, changes };
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
