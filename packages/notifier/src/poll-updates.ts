import { randomUUID } from "node:crypto";
import { type Clock, type ClusterLock, enqueueJob } from "@plimsoll/store";
import { deliverKind } from "./deliver-set.ts";
import { findAffected } from "./find-affected.ts";
import { findNotifications, type NotificationMode } from "./find-notifications.ts";
import { type FirstSight, planSteps, type Step } from "./plan-steps.ts";
import type { AffectedSource, UpdateOperation, UpdateSource } from "./ports.ts";
import { insertSet } from "./store/notification-sets.ts";
import { forgetOperations, processedOperations, rememberOperation } from "./store/notified-operations.ts";
import type { NotifierStore } from "./store/tables.ts";

/** What polling needs. */
export interface PollOptions {
  readonly store: NotifierStore;
  readonly updates: UpdateSource;
  readonly affected: AffectedSource;
  readonly clock: Clock;
  /** `summary` where absent. */
  readonly mode?: NotificationMode;
  /** `baseline` where absent: an updater that was never seen tells nothing until its next operation. */
  readonly firstSight?: FirstSight;
  readonly signal?: AbortSignal;
}

/** What came of one updater. `busy`: another node is at it. `failed`: it is tried again with the next poll. */
export type PollResult =
  | { readonly kind: "polled"; readonly updater: string; readonly sets: readonly SetResult[] }
  | { readonly kind: "busy"; readonly updater: string }
  | { readonly kind: "failed"; readonly updater: string; readonly error: unknown };

/** A set that was made. */
export interface SetResult {
  readonly id: string;
  readonly ref: string;
  readonly notifications: number;
}

/** Long enough for one question to the indexer; renewed before each. */
const leaseSeconds = 300;

/**
 * Deals with every update operation that was not dealt with before, each exactly once: its set, that it was dealt with and
 * the job that delivers the set are written in one transaction. One updater's failure does not keep the others back.
 */
export async function pollUpdates(options: PollOptions): Promise<readonly PollResult[]> {
  const operations = await options.updates.updateOperations({ kind: "vulnerability" });
  const results: PollResult[] = [];
  for (const [updater, listed] of Object.entries(operations)) {
    options.signal?.throwIfAborted();
    results.push(await pollUpdater(options, updater, listed));
  }
  return results;
}

async function pollUpdater(
  options: PollOptions,
  updater: string,
  listed: readonly UpdateOperation[],
): Promise<PollResult> {
  try {
    const { store, clock, firstSight = "baseline" } = options;
    await using lock = await store.tryLock(`notifier.poll.${updater}`, { clock, leaseSeconds });
    if (lock === undefined) return { kind: "busy", updater };
    const sets: SetResult[] = [];
    for (const step of planSteps(listed, await processedOperations(store, updater), firstSight)) {
      const set = await take(options, lock, step);
      if (set !== undefined) sets.push(set);
    }
    await forgetOperations(store, updater, listed);
    return { kind: "polled", updater, sets };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return { kind: "failed", updater, error };
  }
}

async function take(options: PollOptions, lock: ClusterLock, step: Step): Promise<SetResult | undefined> {
  const { store, clock, mode = "summary" } = options;
  const { operation } = step;
  if (step.kind === "baseline") {
    await store.transaction((transaction) => rememberOperation(transaction, operation));
    return undefined;
  }
  const notifications = [...findNotifications(await changesOf(options, lock, step), mode)];
  const id = randomUUID();
  return store.transaction(async (transaction) => {
    const isFirst = await rememberOperation(transaction, operation);
    if (!isFirst || notifications.length === 0) return undefined;
    await insertSet(transaction, { id, operation, notifications, createdAt: clock.now() });
    await enqueueJob(
      transaction,
      { kind: deliverKind, payload: { set: id }, uniqueKey: `${deliverKind}:${id}` },
      clock,
    );
    return { id, ref: operation.ref, notifications: notifications.length };
  });
}

async function changesOf(
  { updates, affected, signal }: PollOptions,
  lock: ClusterLock,
  { previous, operation }: Extract<Step, { kind: "compare" }>,
) {
  const diff = await updates.updateDiff({ prev: previous, cur: operation.ref });
  const asking = { onQuestion: () => lock.renew(), ...(signal !== undefined && { signal }) };
  return {
    added: await findAffected(affected, diff.added, asking),
    removed: await findAffected(affected, diff.removed, asking),
  };
}
