import type { Advisory } from "@plimsoll/core";
import type { RecordChange } from "@plimsoll/core/internal";
import type { EnrichmentRecord, FeedItem } from "@plimsoll/core/plugins";
import { eachBatch, type Tally, untilAborted } from "./feed-batches.ts";
import type { ChangedKeys } from "./store/current-rules.ts";
import { encodeAdvisories, encodeRecords, type TaggedRecord } from "./store/encoded-batch.ts";
import { loadAdvisories, loadEnrichments } from "./store/first-load.ts";
import type { RunningUpdate } from "./store/running-update.ts";
import { stageAdvisories, stageEnrichments, stageRecords } from "./store/staging.ts";
import type { MatcherStore, UpdateKind } from "./store/tables.ts";

/** The content of a feed as a stream: all of it, or the changed records. */
export type Content = Snapshot | Delta;

/** The whole content of a feed. */
export type Snapshot =
  | { readonly kind: "vulnerability"; readonly items: AsyncIterable<FeedItem<Advisory>> }
  | { readonly kind: "enrichment"; readonly items: AsyncIterable<FeedItem<EnrichmentRecord>> };

/** The changed records of a feed. */
export type Delta =
  | { readonly kind: "vulnerability"; readonly changes: AsyncIterable<FeedItem<RecordChange<Advisory>>> }
  | { readonly kind: "enrichment"; readonly changes: AsyncIterable<FeedItem<RecordChange<EnrichmentRecord>>> };

/** The run that stages a feed. */
export interface FeedStaging {
  readonly store: MatcherStore;
  readonly update: RunningUpdate;
  /** The keys of a first snapshot's advisories. */
  readonly keys: ChangedKeys;
  readonly tally: Tally;
  /** Called after each batch with the number of items so far; an error ends the run. */
  readonly onBatch: (items: number) => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Writes the content of a feed while it is read: an updater's first snapshot to its final tables, others to staging tables. The
 * transactions are short, and readers do not see the rows.
 */
export async function stageFeed(at: FeedStaging, content: Content): Promise<void> {
  if (content.kind === "vulnerability") await stageAdvisoryContent(at, content);
  else await stageFactContent(at, content);
}

async function stageAdvisoryContent(
  at: FeedStaging,
  content: Content & { readonly kind: "vulnerability" },
): Promise<void> {
  const stage = (batch: readonly Advisory[]) => stageAdvisoryBatch(at, batch);
  if ("items" in content) return stageItems(at, content.items, stage);
  await stageChanges(at, {
    kind: content.kind,
    changes: content.changes,
    isOf: ({ name }, record) => name === record,
    stage: (changes) => stage(changes.flatMap(({ items }) => items)),
  });
}

async function stageFactContent(at: FeedStaging, content: Content & { readonly kind: "enrichment" }): Promise<void> {
  const tagged = (record: EnrichmentRecord) => record.tags.map((tag) => ({ tag, record }));
  if ("items" in content) return stageItems(at, content.items, (batch) => stageFactBatch(at, batch.flatMap(tagged)));
  await stageChanges(at, {
    kind: content.kind,
    changes: content.changes,
    isOf: ({ tags }, record) => tags.includes(record),
    stage: (changes) =>
      stageFactBatch(
        at,
        changes.flatMap(({ record: tag, items }) => items.map((record) => ({ tag, record }))),
      ),
  });
}

async function stageFactBatch({ store, update }: FeedStaging, records: readonly TaggedRecord[]): Promise<void> {
  const batch = encodeRecords(records);
  await (update.isFirst ? loadEnrichments(store, update, batch) : stageEnrichments(store, update, batch));
}

async function stageItems<Item>(
  { tally, onBatch, signal }: FeedStaging,
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
  /** Stages changes; each record occurs at most once. */
  readonly stage: (changes: readonly RecordChange<Item>[]) => Promise<void>;
}

async function stageChanges<Item>(
  { store, update, tally, onBatch, signal }: FeedStaging,
  {
    kind,
    changes,
    stage,
    isOf,
  }: ChangeStaging<Item> & { readonly kind: UpdateKind; readonly changes: AsyncIterable<FeedItem<RecordChange<Item>>> },
): Promise<void> {
  await eachBatch(untilAborted(changes, signal), tally, async (batch) => {
    for (const { record } of batch.filter((change) => !isText(change.record)))
      tally.addProblem({ at: JSON.stringify(record), message: "the name of the record has a NUL character" });
    const latest = new Map(batch.filter(({ record }) => isText(record)).map((change) => [change.record, change]));
    if (latest.size > 0) await stageRecords(store, update, { kind, records: [...latest.keys()] });
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

async function stageAdvisoryBatch(
  { store, update, keys, tally }: FeedStaging,
  advisories: readonly Advisory[],
): Promise<void> {
  const batch = encodeAdvisories(advisories);
  await (update.isFirst ? loadAdvisories(store, update, { batch, keys }) : stageAdvisories(store, update, batch));
  for (const advisory of batch.refused)
    tally.refuse({ at: advisory.id, message: "a string in it has the character NUL" });
  for (const { ecosystem } of batch.rows) tally.ecosystems.add(ecosystem);
}
