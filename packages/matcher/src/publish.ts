import { oneAtATime } from "@plimsoll/store";
import type { Transaction } from "kysely";
import { maxDroppedKept } from "./feed-batches.ts";
import type { StagedContent } from "./ingest.ts";
import { type MergeCounts, mergeEcosystems } from "./store/merge.ts";
import { cameBetween, endUpdate } from "./store/running-update.ts";
import type { MatcherStore, MatcherTables } from "./store/tables.ts";
import {
  advisoryWrites,
  appendOperation,
  type FeedContent,
  findDropped,
  findLatestOperation,
  putChecked,
  showOperation,
  type UpdateOperation,
} from "./store/update-operations.ts";

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
 * Makes staged content the updater's latest state, within the caller's transaction. It takes no longer for much than for little: all rows
 * are there already.
 * @throws ScanError `aborted` when another run came between
 */
export async function publish(
  store: MatcherStore,
  transaction: Transaction<MatcherTables>,
  { operation, staged, checkedAt, previousRef }: Publication,
): Promise<Published> {
  const { updater, kind } = operation;
  const { update, changes } = staged;
  await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
  const latest = await findLatestOperation(transaction, updater);
  if (latest?.ref !== previousRef) throw cameBetween(updater);
  const content = staged.isDelta ? await contentAfterDelta(transaction, staged, previousRef) : staged;
  const { date } = await appendOperation(transaction, operation, { ...content, seq: update.seq });
  await endUpdate(transaction, update);
  if (kind === "vulnerability") await mergeEcosystems(transaction, update, staged);
  await putChecked(transaction, updater, checkedAt);
  await showOperation(transaction, updater, update.seq);
  return { operation: { ...operation, date }, changes };
}

/** What the feed has after a delta: rows of both, and the records that it lacked before as well. */
async function contentAfterDelta(
  transaction: Transaction<MatcherTables>,
  { rows, dropped }: StagedContent,
  previousRef: string | undefined,
): Promise<FeedContent> {
  const before = previousRef === undefined ? undefined : await findDropped(transaction, previousRef);
  const first = [...dropped.first, ...(before?.first ?? [])].slice(0, maxDroppedKept);
  return { rows, dropped: { count: dropped.count + (before?.count ?? 0), first } };
}
