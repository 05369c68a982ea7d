import { ScanError } from "@plimsoll/core";
import { Tally, type TallyCounts } from "./feed-batches.ts";
import { type Content, stageFeed } from "./stage-feed.ts";
import { ChangedKeys, forgetEndedRules } from "./store/current-rules.ts";
import { countHolding, findDifference } from "./store/difference.ts";
import { countLoaded } from "./store/first-load.ts";
import { analyze, hasRows, type MergeCounts, mergeTables, writeChanges, writeRules } from "./store/merge.ts";
import { beginUpdate, cameBetween, type RunningUpdate, takeBackUpdate } from "./store/running-update.ts";
import { beginStaging, clearRun, countStaged, type StagingRun } from "./store/staging.ts";
import type { MatcherStore, UpdateKind } from "./store/tables.ts";
import { type OnStep, throwIfAborted } from "./values/abort.ts";

/** A snapshot or a delta that is written, and not visible yet. */
export interface StagedContent extends TallyCounts {
  /** Advisories whose id came again; the last one counts. */
  readonly duplicates: number;
  /** Rows that the feed has when this is visible. */
  readonly rows: number;
  /** Rows that begin and rows that end. */
  readonly changes: MergeCounts;
  /** Whether only the records that it names change. */
  readonly isDelta: boolean;
  readonly update: RunningUpdate;
}

/** How content is staged. */
export interface StagingOptions {
  /** Called after each batch with the items so far; throwing ends the run. */
  readonly onBatch: (items: number) => Promise<void>;
  /** Called between the steps of writing what changes. */
  readonly onStep: OnStep;
  readonly signal: AbortSignal | undefined;
}

interface ContentStaging extends StagingOptions {
  readonly content: Content;
}

/**
 * Writes a snapshot or a delta, invisible to readers and in short transactions: what is left for `publish` is to show it. Whatever goes
 * wrong, what was there before stays as it is; `forgetStaged` is to be called in the end.
 * @throws ScanError `malformed_feed` when a feed that had advisories has none any more; `aborted` when another run came between
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
  /** Rows of what the feed said, those included that were there before. */
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
      `the feed of ${updater} has no usable records any more: the stored data stay`,
    );
  const count = () => store.transaction((transaction) => countStaged(transaction, run, kind));
  const staged = await count();
  await findDifference(store, { run, updater, kind, isDelta }, onStep);
  const waiting = await count();
  const changes = await writeChanges(store, update, { kind, keys, onStep });
  if (changes.added !== waiting) throw cameBetween(updater); // a run that took this one for dead has cleared what waited
  return { staged, changes };
}

/** Forgets what was staged of a run that has become an operation or has failed, and what is not shown any more. */
export async function forgetStaged(
  store: MatcherStore,
  run: StagingRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  await clearRun(store, run.run, signal);
  await takeBackUpdate(store, run, signal);
  if (signal?.aborted !== true) await forgetEndedRules(store, run.updater);
}
