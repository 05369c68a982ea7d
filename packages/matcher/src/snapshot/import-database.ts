import { randomUUID } from "node:crypto";
import { type Bytes, ScanError } from "@plimsoll/core";
import type { FeedItem } from "@plimsoll/core/plugins";
import type { ClusterLock } from "@plimsoll/store";
import { discardStaged, type StagedContent, stageContent } from "../ingest.ts";
import { type Publication, type Published, publish } from "../publish.ts";
import type { Snapshot } from "../stage-feed.ts";
import type { MatcherStore } from "../store/tables.ts";
import { findLatestOperation, findOperation, putChecked } from "../store/update-operations.ts";
import type { UpdateEvent } from "../update-feeds.ts";
import { type OnStep, throwIfAborted } from "../values/abort.ts";
import { lockRenewal } from "../values/lock-renewal.ts";
import { malformed, parseAdvisory, parseEnd, parseEnrichment, parseHeader, type SnapshotUpdater } from "./format.ts";
import { decompress, LineReader } from "./lines.ts";

/** Options of an import. */
export interface ImportOptions {
  readonly store: MatcherStore;
  /** The bytes of the snapshot file. */
  readonly source: Bytes;
  readonly clock: { now(): number };
  readonly createRef?: () => string;
  readonly onEvent?: (event: ImportEvent) => void;
  readonly signal?: AbortSignal;
}

/** The progress of an import, as of an update. */
export type ImportEvent = Extract<UpdateEvent, { readonly kind: "progress" | "storing" }>;

/** The result for one updater. `unchanged`: the database already had its state. */
export type ImportResult = { readonly updater: string } & (
  | { readonly kind: "unchanged" }
  | ({ readonly kind: "updated"; readonly items: number } & Published)
);

const leaseSeconds = 300;

/**
 * Imports a snapshot, completely or not at all. Updaters that are not in the snapshot stay unchanged.
 * @throws ScanError `malformed_feed` for a file that is not a complete snapshot; `aborted` if feeds are being
 * updated at the same time
 * @example
 * declare const store: MatcherStore;
 * const response = await fetch("https://mirror.example.com/advisories.zst");
 * if (response.body !== null) await importDatabase({ store, source: response.body, clock: { now: Date.now } });
 */
export async function importDatabase(options: ImportOptions): Promise<readonly ImportResult[]> {
  const lines = new LineReader(decompress(options.source));
  try {
    const results = await importLines(lines, options);
    if (results.some(({ kind }) => kind === "updated")) await options.store.optimize();
    return results;
  } finally {
    await lines.close();
  }
}

/** Reads and checks the header of a snapshot. @throws ScanError `malformed_feed` */
export async function checkSnapshot(source: Bytes): Promise<void> {
  const lines = new LineReader(decompress(source));
  try {
    await readHeader(lines);
  } finally {
    await lines.close();
  }
}

async function readHeader(lines: LineReader): Promise<readonly SnapshotUpdater[]> {
  return parseHeader((await lines.next()) ?? "");
}

/** An updater of the file with its staged content; undefined if the database already has its state. */
interface StagedUpdater {
  readonly listed: SnapshotUpdater;
  readonly publication: Publication | undefined;
}

async function importLines(lines: LineReader, options: ImportOptions): Promise<readonly ImportResult[]> {
  const { store } = options;
  const updaters = await readHeader(lines);
  await using stack = new AsyncDisposableStack();
  const locks: ClusterLock[] = [];
  for (const { updater } of updaters) locks.push(stack.use(await lockUpdater(updater, options)));
  const importing: Importing = {
    ...options,
    lines,
    keepLocks: lockRenewal({ locks, clock: options.clock, leaseSeconds }),
  };
  const staged: StagedUpdater[] = [];
  try {
    for (const listed of updaters) staged.push({ listed, publication: await stageUpdater(importing, listed) });
    await checkEnd(lines, updaters);
    throwIfAborted(options.signal, "the import");
    for (const lock of locks) await lock.renew();
    return await store.transaction(async (transaction) => {
      const results: ImportResult[] = [];
      for (const { listed, publication } of staged) {
        const { updater, checkedAt } = listed;
        if (publication === undefined) {
          await putChecked(transaction, updater, checkedAt);
          results.push({ updater, kind: "unchanged" });
        } else {
          const published = await publish(store, transaction, publication);
          results.push({ updater, kind: "updated", items: publication.staged.items, ...published });
        }
      }
      return results;
    });
  } finally {
    await discardAll(store, staged, options.signal);
  }
}

/** An import under way. */
interface Importing extends ImportOptions {
  readonly lines: LineReader;
  /** Renews the locks of all updaters, where it is time to. */
  readonly keepLocks: () => Promise<void>;
}

/** Reports each step of storing an updater's content. */
function stepsOf(updater: string, { onEvent, signal, keepLocks }: Importing): OnStep {
  let steps = 0;
  return async () => {
    await keepLocks();
    onEvent?.({ kind: "storing", updater, steps: steps++ });
    throwIfAborted(signal, "the import");
  };
}

async function lockUpdater(updater: string, { store, clock }: ImportOptions) {
  const lock = await store.tryLock(`matcher.update.${updater}`, { clock, leaseSeconds });
  if (lock === undefined) throw new ScanError("aborted", `${updater} is being updated: import again when it is done`);
  return lock;
}

async function stageUpdater(importing: Importing, listed: SnapshotUpdater): Promise<Publication | undefined> {
  const { store, lines, createRef = randomUUID, signal, keepLocks } = importing;
  const latest = await findLatestOperation(store.db, listed.updater);
  if (latest?.ref === listed.ref) {
    for (let item = 0; item < listed.items; item++) {
      if (item % 1000 === 0) {
        throwIfAborted(signal, "the import");
        await keepLocks();
      }
      await itemLine(lines, listed);
    }
    return undefined;
  }
  // The state of an older snapshot becomes a new operation with the content of the earlier one.
  const known = await findOperation(store.db, listed.ref);
  const { updater, kind, fingerprint, date, checkedAt } = listed;
  const operation = { ref: known === undefined ? listed.ref : createRef(), updater, kind, fingerprint, date };
  const staged = await stage(store, operation.ref, { snapshot: snapshotOf(lines, listed), from: listed, importing });
  const dropped = listed.dropped ?? staged.dropped;
  return { operation, staged: { ...staged, dropped, account: listed.account }, checkedAt, previousRef: latest?.ref };
}

interface SnapshotStaging {
  readonly snapshot: Snapshot;
  readonly from: SnapshotUpdater;
  readonly importing: Importing;
}

async function stage(
  store: MatcherStore,
  run: string,
  { snapshot, from: { updater }, importing }: SnapshotStaging,
): Promise<StagedContent> {
  const { signal, onEvent, keepLocks } = importing;
  try {
    const onBatch = async (items: number) => {
      throwIfAborted(signal, "the import");
      await keepLocks();
      onEvent?.({ kind: "progress", updater, items });
    };
    const onStep = stepsOf(updater, importing);
    const staged = await stageContent(store, { run, updater }, { content: snapshot, onBatch, onStep, signal });
    if (staged.dropped.count > 0) throw malformed(`${updater}: ${staged.dropped.first[0]?.message}`);
    return staged;
  } catch (error) {
    await discardStaged(store, { run, updater }, signal);
    throw error;
  }
}

function snapshotOf(lines: LineReader, listed: SnapshotUpdater): Snapshot {
  return listed.kind === "vulnerability"
    ? { kind: listed.kind, items: itemsOf(lines, listed, (line) => parseAdvisory(line, listed.updater)) }
    : { kind: listed.kind, items: itemsOf(lines, listed, parseEnrichment) };
}

async function* itemsOf<Item>(
  lines: LineReader,
  listed: SnapshotUpdater,
  parse: (line: string) => Item,
): AsyncGenerator<FeedItem<Item>> {
  for (let index = 0; index < listed.items; index++) {
    yield { kind: "item", item: parse(await itemLine(lines, listed)) };
  }
}

async function itemLine(lines: LineReader, { updater, items }: SnapshotUpdater): Promise<string> {
  const line = await lines.next();
  if (line === undefined) throw malformed(`the snapshot ends within the ${items} items of ${updater}`);
  return line;
}

async function checkEnd(lines: LineReader, updaters: readonly SnapshotUpdater[]): Promise<void> {
  const digest = lines.digest();
  const end = parseEnd(await lines.next());
  const items = updaters.reduce((sum, updater) => sum + updater.items, 0);
  if (end.items !== items || end.digest !== digest)
    throw malformed("the content of the snapshot does not match its last line");
  if ((await lines.next()) !== undefined) throw malformed("the snapshot has data after its last line");
}

async function discardAll(
  store: MatcherStore,
  staged: readonly StagedUpdater[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const { publication } of staged) {
    if (publication === undefined) continue;
    const { ref: run, updater } = publication.operation;
    await discardStaged(store, { run, updater }, signal);
  }
}
