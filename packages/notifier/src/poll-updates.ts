import { randomUUID } from "node:crypto";
import { type Clock, type ClusterLock, enqueueJob } from "@plimsoll/store";
import { deliverSetJobOf } from "./deliver-set.ts";
import { findAffected } from "./find-affected.ts";
import { type FindNotifications, type NotificationMode, notificationFinder } from "./find-notifications.ts";
import { type FirstSight, planSteps, type Step } from "./plan-steps.ts";
import { type AffectedSource, beforeAllOperations, type UpdateSource, type Vulnerabilities } from "./ports.ts";
import { deleteUnfinished, finishSet, insertSet, type Told } from "./store/notification-sets.ts";
import { forgetOperations, processedOperations, rememberOperation } from "./store/notified-operations.ts";
import { clearStaged, readStaged, StagedChanges } from "./store/staged-changes.ts";
import type { NotifierStore } from "./store/tables.ts";
import { usualSubscriber } from "./subscribers.ts";
import type { Reason, VulnerabilitySummary } from "./values/notification.ts";
import type { UpdateOperation } from "./values/update-operation.ts";

/** Options of polling. */
export interface PollOptions {
  readonly store: NotifierStore;
  readonly updates: UpdateSource;
  readonly affected: AffectedSource;
  readonly clock: Clock;
  /** Who is told: each subscriber has its own memory of what it was told of. The usual one where absent. */
  readonly subscriber?: string;
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
 * Deals with every update operation that was not dealt with before, each exactly once: that its set is whole, that it was dealt with
 * and the job that delivers the set are written in one transaction. One updater's failure does not keep the others back.
 * @example
 * declare const options: PollOptions;
 * for (const result of await pollUpdates(options)) {
 *   if (result.kind === "failed") console.error(result.updater, result.error);
 * }
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
    const told = toldOf(options, updater);
    await using lock = await store.tryLock(lockOf(told), { clock, leaseSeconds });
    if (lock === undefined) return { kind: "busy", updater };
    const sets: SetResult[] = [];
    for (const step of planSteps(listed, await processedOperations(store, told), firstSight)) {
      const set = await take(options, lock, step);
      if (set !== undefined) sets.push(set);
    }
    await forgetOperations(store, told, listed);
    return { kind: "polled", updater, sets };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return { kind: "failed", updater, error };
  }
}

async function take(options: PollOptions, lock: ClusterLock, step: Step): Promise<SetResult | undefined> {
  const { store, clock } = options;
  const { operation } = step;
  const told = toldOf(options, operation.updater);
  const { subscriber } = told;
  if (step.kind === "baseline") {
    await store.transaction((transaction) => rememberOperation(transaction, subscriber, operation));
    return undefined;
  }
  const find = await stageChanges(options, lock, step);
  const id = randomUUID();
  const notifications = notificationsOf(options, lock, { told, find });
  const isFirst = step.previous === beforeAllOperations;
  const set = { id, subscriber, operation, isFirst, notifications, createdAt: clock.now(), state: "writing" as const };
  const written = await insertSet(store.relaxed, set);
  const result = await store.transaction(async (transaction) => {
    if (!(await rememberOperation(transaction, subscriber, operation)) || written === 0) return undefined;
    await finishSet(transaction, id);
    await enqueueJob(transaction, deliverSetJobOf(subscriber).of({ set: id }), clock);
    return { id, ref: operation.ref, notifications: written };
  });
  if (result === undefined) await deleteUnfinished(store, told);
  await clearStaged(store, told);
  return result;
}

function toldOf({ subscriber = usualSubscriber }: PollOptions, updater: string): Told {
  return { subscriber, updater };
}

/** The usual subscriber's has the name that older versions know. */
function lockOf({ subscriber, updater }: Told): string {
  return subscriber === usualSubscriber ? `notifier.poll.${updater}` : `notifier.poll.${subscriber}/${updater}`;
}

/** So often the lock is renewed while a set is written. */
const manifestsPerRenewal = 10_000;

async function* notificationsOf(
  { store, signal }: PollOptions,
  lock: ClusterLock,
  { told, find }: { readonly told: Told; readonly find: FindNotifications },
) {
  let manifests = 0;
  for await (const changes of readStaged(store.db, told)) {
    signal?.throwIfAborted();
    if (++manifests % manifestsPerRenewal === 0) await lock.renew();
    yield* find(changes);
  }
}

/** Puts down what an operation changed for every manifest. What is kept in memory are the vulnerabilities. */
async function stageChanges(
  options: PollOptions,
  lock: ClusterLock,
  { previous, operation }: Extract<Step, { kind: "compare" }>,
): Promise<FindNotifications> {
  const { store, updates, affected, mode = "summary", signal } = options;
  const told = toldOf(options, operation.updater);
  await deleteUnfinished(store, told);
  const staged = await StagedChanges.begin(store, told);
  const diff = await updates.updateDiff({ prev: previous, cur: operation.ref, scope: "related" });
  const asking = { onQuestion: () => lock.renew(), ...(signal !== undefined && { signal }) };
  const numbers = new NumberedSummaries();
  await stage("added", diff.added);
  await stage("removed", diff.removed);
  await staged.flush();
  return notificationFinder(numbers.summaries, mode);

  async function stage(reason: Reason, changed: Vulnerabilities): Promise<void> {
    for await (const { vulnerabilities, manifests } of findAffected(affected, changed, asking)) {
      await staged.put({ reason, manifests, vulnerabilities: vulnerabilities.map((each) => numbers.numberOf(each)) });
    }
  }
}

/** Summaries, each text once, in the order they were first seen. */
class NumberedSummaries {
  readonly summaries: VulnerabilitySummary[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(summary: VulnerabilitySummary): number {
    const text = JSON.stringify(summary);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.summaries.length);
    return this.summaries.push(summary) - 1;
  }
}
