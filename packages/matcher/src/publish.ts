import { oneAtATime } from "@plimsoll/store";
import type { Transaction } from "kysely";
import { maxDroppedKept } from "./feed-batches.ts";
import type { StagedContent } from "./ingest.ts";
import { type MergeCounts, mergeEcosystems } from "./store/merge.ts";
import { endUpdate, overtaken } from "./store/running-update.ts";
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

/** Staged content to publish as an operation. */
export interface Publication {
  readonly operation: UpdateOperation;
  readonly staged: StagedContent;
  readonly checkedAt: number;
  /** The `ref` of the updater's latest operation at the start of the run. */
  readonly previousRef: string | undefined;
}

/** A published operation and its changes. */
export interface Published {
  readonly operation: UpdateOperation;
  readonly changes: MergeCounts;
}

/**
 * Makes staged content the updater's latest state within the caller's transaction. It takes the same time for any number of rows, because they
 * are already written.
 * @throws ScanError `aborted` if another run has overtaken this one
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
  if (latest?.ref !== previousRef) throw overtaken(updater);
  const content = staged.isDelta ? await contentAfterDelta(transaction, staged, previousRef) : staged;
  const { date } = await appendOperation(transaction, operation, { ...content, seq: update.seq });
  await endUpdate(transaction, update);
  if (kind === "vulnerability") await mergeEcosystems(transaction, update, staged);
  await putChecked(transaction, updater, checkedAt);
  await showOperation(transaction, updater, update.seq);
  return { operation: { ...operation, date }, changes };
}

/** The content of the feed after a delta: all rows, and the dropped records of the delta and of the previous operation. */
async function contentAfterDelta(
  transaction: Transaction<MatcherTables>,
  { rows, dropped, account }: StagedContent,
  previousRef: string | undefined,
): Promise<FeedContent> {
  const before = previousRef === undefined ? undefined : await findDropped(transaction, previousRef);
  const first = [...dropped.first, ...(before?.first ?? [])].slice(0, maxDroppedKept);
  return { rows, account, dropped: { count: dropped.count + (before?.count ?? 0), first } };
}
