import type { FeedItem } from "@plimsoll/core";
import type { DroppedRecords, FeedProblem } from "./store/feed-status.ts";
import { throwIfAborted } from "./values/abort.ts";

/** Items of one batch, and how many dropped records are kept with their places. */
const batchSize = 2_000;
export const maxDroppedKept = 20;

/** Gives items on until the signal is aborted. @throws ScanError `aborted` */
export async function* untilAborted<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void> {
  for await (const item of items) {
    throwIfAborted(signal, "reading the feed");
    yield item;
  }
}

/** What is told of a feed that has streamed by. */
export interface TallyCounts {
  /** Items that can be used, repeated ones included. */
  readonly items: number;
  /** Items that cannot be used. */
  readonly dropped: DroppedRecords;
  readonly ecosystems: ReadonlySet<string>;
}

/** Counts while a feed streams by. */
export class Tally {
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

  get counts(): TallyCounts {
    const { items, problems, first, ecosystems } = this;
    return { items, dropped: { count: problems, first }, ecosystems };
  }
}

/** Characters of a place or a message that are kept. Both quote outside documents. */
const maxTextLength = 500;

function shortened({ at, message }: FeedProblem): FeedProblem {
  return { at: at.slice(0, maxTextLength), message: message.slice(0, maxTextLength) };
}

/** Gathers usable items into batches; what cannot be used is counted. */
export async function eachBatch<Item>(
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
