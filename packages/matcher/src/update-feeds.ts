import { randomUUID } from "node:crypto";
import { type Advisory, ScanError } from "@plimsoll/core";
import { otherFeedFor } from "@plimsoll/core/internal";
import type { EnrichmentRecord, FeedReader, Update, Updater } from "@plimsoll/core/plugins";
import type { ClusterLock, LockHolder } from "@plimsoll/store";
import pLimit from "p-limit";
import { type ChosenFeed, chooseFeeds, type FeedChoice, type FeedPlugins, sizedFeeds } from "./choose-feeds.ts";
import { discardStaged, type StagedContent, stageContent } from "./ingest.ts";
import { publish } from "./publish.ts";
import type { Content } from "./stage-feed.ts";
import { failedUpdate, putFailure } from "./store/failed-updates.ts";
import type { FeedAccount } from "./store/feed-account.ts";
import { type DroppedRecords, problemText } from "./store/feed-status.ts";
import type { MergeCounts } from "./store/merge.ts";
import type { MatcherStore, UpdateKind } from "./store/tables.ts";
import { findLatestOperation, putChecked, type UpdateOperation } from "./store/update-operations.ts";
import { throwIfAborted } from "./values/abort.ts";
import { lockRenewal } from "./values/lock-renewal.ts";

/** The name of an updater, under which its data are stored, and the location of its feed. */
export type FeedOwner = Pick<Updater, "name" | "location">;

/** A feed reader with temporary files, which must be disposed of. */
export type OpenFeedReader = FeedReader & AsyncDisposable;

/** Options of an update. */
export interface UpdateFeedsOptions extends FeedChoice {
  readonly store: MatcherStore;
  /** Opens an updater's feed. The reader is disposed of when the updater is done. */
  feeds(updater: FeedOwner): OpenFeedReader;
  readonly clock: { now(): number };
  /** Creates refs of operations. Default: random UUIDs. */
  readonly createRef?: () => string;
  readonly onEvent?: (event: UpdateEvent) => void;
  readonly signal?: AbortSignal;
}

/** Progress of an update. */
export type UpdateEvent =
  /** The chosen feeds, before anything is downloaded. */
  | { readonly kind: "chosen"; readonly feeds: readonly ChosenFeed[] }
  | { readonly kind: "started"; readonly updater: string }
  /** From readers of the network: the bytes of a document so far, and its total bytes if the server states them. */
  | {
      readonly kind: "downloading";
      readonly updater: string;
      readonly document: string;
      readonly bytes: number;
      readonly totalBytes?: number;
    }
  | { readonly kind: "progress"; readonly updater: string; readonly items: number }
  /** All records were read. It is emitted again after each step of storing them. They become visible when the update ends. */
  | { readonly kind: "storing"; readonly updater: string; readonly steps: number }
  | { readonly kind: "ended"; readonly result: UpdateResult };

/** The result of updating one feed. */
export type UpdateResult = { readonly updater: string } & (
  | { readonly kind: "unchanged" }
  | UpdatedResult
  | { readonly kind: "failed"; readonly error: unknown }
  /** It was skipped, because another process is updating it. */
  | { readonly kind: "busy"; readonly holder: LockHolder }
);

/** The result of an update with a new state. */
export interface UpdatedResult {
  readonly kind: "updated";
  readonly operation: UpdateOperation;
  /** The numbers of rows that began and that ended. */
  readonly changes: MergeCounts;
  readonly items: number;
  readonly duplicates: number;
  /** Unusable records. */
  readonly dropped: DroppedRecords;
  /** What became of the records that were read; undefined if the updater does not say. */
  readonly account: FeedAccount | undefined;
}

/** The number of updaters that run at the same time: one downloads while another is parsed. */
const concurrency = 4;

/** On SQLite, how long the lock of a dead updater blocks others. */
const leaseSeconds = 300;

/**
 * Updates the feeds of an engine: those of its updaters and those of its enrichers. An updater that fails does not change its data and does not
 * stop the others. Readers are not blocked, and see an updater's new state all at once.
 *
 * @example
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const store = await openStore<MatcherTables>("matcher.db", { migrations: [matcherMigrations] });
 * await updateFeeds(engine, { store, feeds: ({ location }) => createFeedReader({ location }), clock: { now: Date.now } });
 * @throws ScanError `aborted` when the signal is aborted
 */
export async function updateFeeds(engine: FeedPlugins, options: UpdateFeedsOptions): Promise<readonly UpdateResult[]> {
  const limit = pLimit(concurrency);
  const chosen = chooseFeeds(engine, options);
  options.onEvent?.({ kind: "chosen", feeds: sizedFeeds(chosen, options) });
  const runs = runsOf(chosen).map((run) => limit(() => updateOne(run, options)));
  const results = await Promise.all(runs);
  if (results.some(({ kind }) => kind === "updated")) await options.store.optimize();
  throwIfAborted(options.signal, "the update");
  return results;
}

/** An updater of either kind. */
interface Run {
  readonly owner: FeedOwner;
  readonly kind: UpdateKind;
  update(feeds: FeedReader, previous: string | undefined): Promise<undefined | Fetched>;
}

interface Fetched {
  readonly fingerprint: string;
  readonly content: Content;
}

function runsOf({ updaters, enrichers }: Required<FeedPlugins>): Run[] {
  return [
    ...updaters.map(
      (updater): Run => ({
        owner: updater,
        kind: "vulnerability",
        update: async (feeds, previous) => fetchedAdvisories(await updater.update(feeds, previous)),
      }),
    ),
    // Several enrichers may use the same feed.
    ...[...new Set(enrichers.map(({ updater }) => updater))].map(
      (updater): Run => ({
        owner: updater,
        kind: "enrichment",
        update: async (feeds, previous) => fetchedFacts(await updater.update(feeds, previous)),
      }),
    ),
  ];
}

function fetchedAdvisories(update: Update<Advisory>): Fetched | undefined {
  if (update.kind === "unchanged") return undefined;
  const { fingerprint } = update;
  if (update.kind === "delta") return { fingerprint, content: { kind: "vulnerability", changes: update.changes } };
  return { fingerprint, content: { kind: "vulnerability", items: update.items } };
}

function fetchedFacts(update: Update<EnrichmentRecord>): Fetched | undefined {
  if (update.kind === "unchanged") return undefined;
  const { fingerprint } = update;
  if (update.kind === "delta") return { fingerprint, content: { kind: "enrichment", changes: update.changes } };
  return { fingerprint, content: { kind: "enrichment", items: update.items } };
}

/** Runs one updater. Every error becomes its result. */
async function updateOne(run: Run, options: UpdateFeedsOptions): Promise<UpdateResult> {
  const { name } = run.owner;
  options.onEvent?.({ kind: "started", updater: name });
  const result = await attempt(run, options).catch((error: unknown) => failed(name, error, options));
  options.onEvent?.({ kind: "ended", result });
  return result;
}

/** The result of a failed update. The failure is stored for the status of the feed, unless the update was aborted. */
async function failed(updater: string, error: unknown, options: UpdateFeedsOptions): Promise<UpdateResult> {
  const { store, clock, signal } = options;
  const isAborted = signal?.aborted === true || (error instanceof ScanError && error.code === "aborted");
  // The database may be unwritable, perhaps as the cause: the result has the original error.
  if (!isAborted) await putFailure(store, failedUpdate(updater, error, clock.now())).catch(() => {});
  return { updater, kind: "failed", error };
}

async function attempt(run: Run, options: UpdateFeedsOptions): Promise<UpdateResult> {
  const { store, clock, signal } = options;
  const updater = run.owner.name;
  throwIfAborted(signal, "the update");
  const lockName = `matcher.update.${updater}`;
  await using lock = await store.tryLock(lockName, { clock, leaseSeconds });
  if (lock === undefined) return { updater, kind: "busy", holder: await store.findLockHolder(lockName) };
  const previous = await findLatestOperation(store.db, updater);
  await using feeds = options.feeds(run.owner);
  const reader = readerFor(feeds, options);
  // awaited here, so that the lock and the feed are held until it is done
  return await updateFrom(run, { reader, lock, previous }, options).catch(async (error: unknown) => {
    throw await withOtherFeed(updater, error, reader.source());
  });
}

interface Opened {
  readonly reader: RememberingReader;
  readonly lock: ClusterLock;
  readonly previous: UpdateOperation | undefined;
}

async function updateFrom(
  run: Run,
  { reader, lock, previous }: Opened,
  options: UpdateFeedsOptions,
): Promise<UpdateResult> {
  const { store, clock } = options;
  const updater = run.owner.name;
  const startedAt = clock.now();
  const fetched = await run.update(reader, previous?.fingerprint);
  if (fetched === undefined) {
    if (previous === undefined)
      throw new ScanError("malformed_feed", `expected a first snapshot from ${updater}, found "unchanged"`);
    await putChecked(store.db, updater, startedAt);
    return { updater, kind: "unchanged" };
  }
  if (previous === undefined && "changes" in fetched.content)
    throw new ScanError("malformed_feed", `expected a first snapshot from ${updater}, found a delta`);
  const operation: UpdateOperation = {
    ref: (options.createRef ?? randomUUID)(),
    updater,
    fingerprint: fetched.fingerprint,
    date: startedAt,
    kind: run.kind,
  };
  return await ingest(options, lock, { operation, content: fetched.content, previousRef: previous?.ref });
}

/** A reader that knows what is at the configured location, if that was opened. */
interface RememberingReader extends FeedReader {
  source(): FeedSource | undefined;
}

type FeedSource = Exclude<Awaited<ReturnType<FeedReader["open"]>>, { readonly kind: "unchanged" }>;

/** The reader for an updater. It has the needed ecosystems, unless the feed was chosen by name. */
function readerFor(feeds: OpenFeedReader, { only, needed }: FeedChoice): RememberingReader {
  const { startedAt } = feeds;
  let source: FeedSource | undefined;
  return {
    startedAt,
    needed: only === undefined && needed !== undefined ? needed : undefined,
    async open(name, previous) {
      const opened = await feeds.open(name, previous);
      if (name === undefined && opened.kind !== "unchanged") source = opened;
      return opened;
    },
    source: () => source,
  };
}

/** The error of a feed that cannot read its source, with the feeds that can. */
async function withOtherFeed(updater: string, error: unknown, source: FeedSource | undefined): Promise<unknown> {
  if (source === undefined || !(error instanceof ScanError)) return error;
  if (error.code !== "malformed_feed" && error.code !== "not_found") return error;
  const other = await otherFeedFor(updater, source);
  return other === undefined ? error : new ScanError(error.code, `${error.message}; ${other}`, { cause: error });
}

interface Ingestion {
  readonly operation: UpdateOperation;
  readonly content: Content;
  readonly previousRef: string | undefined;
}

async function ingest(
  { store, clock, signal, onEvent }: UpdateFeedsOptions,
  lock: ClusterLock,
  { operation, content, previousRef }: Ingestion,
): Promise<UpdateResult> {
  const { updater, ref: run, date } = operation;
  const keepLock = lockRenewal({ locks: [lock], clock, leaseSeconds });
  try {
    const onBatch = async (items: number) => {
      throwIfAborted(signal, "the update");
      await keepLock();
      onEvent?.({ kind: "progress", updater, items });
    };
    let steps = 0;
    const onStep = async () => {
      await keepLock();
      onEvent?.({ kind: "storing", updater, steps: steps++ });
      throwIfAborted(signal, "the update");
    };
    const staged = await stageContent(store, { run, updater }, { content, onBatch, onStep, signal });
    refuseUseless(updater, staged);
    const published = await store.transaction((transaction) =>
      publish(store, transaction, { operation, staged, checkedAt: date, previousRef }),
    );
    return { updater, kind: "updated", ...published, ...countsOf(staged) };
  } finally {
    await discardStaged(store, { run, updater }, signal);
  }
}

/**
 * Refuses a first snapshot of which nothing could be read. One whose records were read, and of which none is of use, is loaded with a warning.
 * @throws ScanError `malformed_feed`
 */
function refuseUseless(updater: string, { items, account, dropped, isDelta, update }: StagedContent): void {
  const read = account === undefined ? 0 : account.records - account.failed;
  if (isDelta || !update.isFirst || items + read > 0) return;
  const [problem] = dropped.first;
  throw new ScanError(
    "malformed_feed",
    problem === undefined
      ? `expected records in the feed of ${updater}, found none`
      : `expected records in the feed of ${updater} that can be read, found none in ${dropped.count}: ${problemText(problem)}`,
  );
}

function countsOf({ items, duplicates, dropped, account }: StagedContent) {
  return { items, duplicates, dropped, account };
}
