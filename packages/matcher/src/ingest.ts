import { ScanError } from "@plimsoll/core";
import { Tally, type TallyCounts } from "./feed-batches.ts";
import { type Content, stageFeed } from "./stage-feed.ts";
import { ChangedKeys, deleteEndedRules } from "./store/current-rules.ts";
import { countHolding, findDifference } from "./store/difference.ts";
import { countLoaded } from "./store/first-load.ts";
import { analyze, hasRows, type MergeCounts, mergeTables, writeChanges, writeRules } from "./store/merge.ts";
import { beginUpdate, overtaken, type RunningUpdate, revertUpdate } from "./store/running-update.ts";
import { beginStaging, clearRun, countStaged, type StagingRun } from "./store/staging.ts";
import type { MatcherStore, UpdateKind } from "./store/tables.ts";
import { type OnStep, throwIfAborted } from "./values/abort.ts";

/** A snapshot or a delta that is written but not visible yet. */
export interface StagedContent extends TallyCounts {
  /** Advisories whose id occurred again later in the feed; the last one counts. */
  readonly duplicates: number;
  /** The rows of the feed once this is visible. */
  readonly rows: number;
  /** The rows that begin and the rows that end. */
  readonly changes: MergeCounts;
  /** Whether only the records that it names change: it is a delta. */
  readonly isDelta: boolean;
  readonly update: RunningUpdate;
}

/** Callbacks of staging. */
export interface StagingOptions {
  /** Called after each batch with the number of items so far; an error ends the run. */
  readonly onBatch: (items: number) => Promise<void>;
  /** Called between the steps of writing the changes. */
  readonly onStep: OnStep;
  readonly signal: AbortSignal | undefined;
}

interface ContentStaging extends StagingOptions {
  readonly content: Content;
}

/**
 * Writes a snapshot or a delta in short transactions, invisible to readers; `publish` then only makes it visible. A failure does not
 * change the visible data. The caller must call `discardStaged` afterwards in any case.
 * @throws ScanError `malformed_feed` if a feed that had records is now empty; `aborted` if another run has overtaken this one
 */
export async function stageContent(
  store: MatcherStore,
  run: StagingRun,
  { content, onBatch, onStep, signal }: ContentStaging,
): Promise<StagedContent> {
  const { kind } = content;
  const isDelta = "changes" in content;
  await beginStaging(store, run, signal);
  throwIfAborted(signal, "reading the feed");
  const update = await beginUpdate(store, run, signal);
  const [tally, keys] = [new Tally(), new ChangedKeys()];
  await stageFeed({ store, update, keys, tally, onBatch, signal }, content);
  const written = update.isFirst
    ? await countFirst(store, update, kind)
    : await writeDifference(store, update, { kind, isDelta, tally, keys, onStep });
  await writeRules(store, update, { keys, onStep });
  await store.transaction((transaction) => analyze(transaction, store.kind));
  const duplicates = kind === "vulnerability" ? tally.items - written.staged : 0;
  const rows = isDelta ? await countHolding(store, { kind, updater: run.updater }) : written.staged;
  return { ...tally.counts, duplicates, rows, changes: written.changes, isDelta, update };
}

interface Written {
  /** The rows of the feed, including unchanged ones. */
  readonly staged: number;
  readonly changes: MergeCounts;
}

async function countFirst(store: MatcherStore, update: RunningUpdate, kind: UpdateKind): Promise<Written> {
  const staged = await countLoaded(store, mergeTables[kind].table, update);
  return { staged, changes: { added: staged, removed: 0 } };
}

interface Difference {
  readonly kind: UpdateKind;
  readonly isDelta: boolean;
  readonly tally: Tally;
  readonly keys: ChangedKeys;
}

async function writeDifference(
  store: MatcherStore,
  update: RunningUpdate,
  { kind, isDelta, tally, keys, onStep }: Difference & { readonly onStep: OnStep },
): Promise<Written> {
  const { run, updater } = update;
  if (!isDelta && tally.items === 0 && (await hasRows(store, updater, kind)))
    throw new ScanError(
      "malformed_feed",
      `expected records in the feed of ${updater}, which had some before, found none: the stored data stay`,
    );
  const count = () => store.transaction((transaction) => countStaged(transaction, run, kind));
  const staged = await count();
  await findDifference(store, { run, updater, kind, isDelta }, onStep);
  const waiting = await count();
  const changes = await writeChanges(store, update, { kind, keys, onStep });
  if (changes.added !== waiting) throw overtaken(updater); // another run took this one for dead and has cleared its staged rows
  return { staged, changes };
}

/** Deletes the staged rows of a finished or failed run, reverts a failed one, and deletes ended rules. */
export async function discardStaged(
  store: MatcherStore,
  run: StagingRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  await clearRun(store, run.run, signal);
  await revertUpdate(store, run, signal);
  if (signal?.aborted !== true) await deleteEndedRules(store, run.updater);
}
