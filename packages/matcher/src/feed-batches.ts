import type { FeedItem } from "@plimsoll/core/plugins";
import { AccountTally, type FeedAccount } from "./store/feed-account.ts";
import type { DroppedRecords, FeedProblem } from "./store/feed-status.ts";
import { throwIfAborted } from "./values/abort.ts";

/** The number of items of one batch. */
const batchSize = 2_000;
/** How many dropped records of a feed are stored with their locations. */
export const maxDroppedKept = 20;

/** Passes items on until the signal is aborted. @throws ScanError `aborted` */
export async function* untilAborted<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void> {
  for await (const item of items) {
    throwIfAborted(signal, "reading the feed");
    yield item;
  }
}

/** The counts of a feed that was read. */
export interface TallyCounts {
  /** Usable items, including repeated ones. */
  readonly items: number;
  /** Unusable items. */
  readonly dropped: DroppedRecords;
  /** Undefined if the updater does not say what became of its records. */
  readonly account: FeedAccount | undefined;
  readonly ecosystems: ReadonlySet<string>;
}

/** Counts the items of a feed while it is read. */
export class Tally {
  items = 0;
  problems = 0;
  readonly first: FeedProblem[] = [];
  readonly ecosystems = new Set<string>();
  readonly accounts = new AccountTally();

  addProblem(problem: FeedProblem): void {
    this.problems++;
    if (this.first.length < maxDroppedKept) this.first.push(shortened(problem));
  }

  /** Turns an item that was already counted into a problem. */
  refuse(problem: FeedProblem): void {
    this.items--;
    this.addProblem(problem);
  }

  get counts(): TallyCounts {
    const { items, problems, first, ecosystems } = this;
    return { items, dropped: { count: problems, first }, account: this.accounts.account, ecosystems };
  }
}

/** The largest stored length of a location or a message; both quote outside documents. */
const maxTextLength = 500;

function shortened({ at, message }: FeedProblem): FeedProblem {
  return { at: at.slice(0, maxTextLength), message: message.slice(0, maxTextLength) };
}

/** Collects usable items into batches, and counts unusable ones. */
export async function eachBatch<Item>(
  items: AsyncIterable<FeedItem<Item>>,
  tally: Tally,
  flush: (batch: readonly Item[]) => Promise<void>,
): Promise<void> {
  let batch: Item[] = [];
  for await (const entry of items) {
    const odd = oddEntry(entry);
    if (odd !== undefined) {
      tally.addProblem(odd);
      continue;
    }
    if (entry.kind === "problem") tally.addProblem({ at: entry.at, message: entry.message });
    else if (entry.kind === "record") tally.accounts.add(entry);
    if (entry.kind !== "item") continue;
    if (batch.push(entry.item) < batchSize) continue;
    await flush(batch);
    batch = [];
  }
  await flush(batch);
}

/** What is wrong with an entry of a feed that is of no known kind: it would otherwise be passed over, or end the update. */
function oddEntry(entry: FeedItem<unknown>): FeedProblem | undefined {
  const { kind, item } = (entry ?? {}) as { readonly kind?: unknown; readonly item?: unknown };
  if (kind === "problem" || kind === "record" || (kind === "item" && typeof item === "object" && item !== null))
    return undefined;
  return { at: "", message: `the updater gave an entry of the kind ${JSON.stringify(kind)} without an item` };
}
