import { randomUUID } from "node:crypto";
import type { Json, VulnerabilityJson } from "@plimsoll/core/report";
import { type Clock, type ClusterLock, enqueueJob } from "@plimsoll/store";
import { deliverSetJobOf } from "./deliver-set.ts";
import { type FindNotifications, type NotificationMode, notificationFinder } from "./find-notifications.ts";
import { type FirstSight, planSteps, type Step } from "./plan-steps.ts";
import { type AffectedSource, beforeAllOperations, type UpdateSource, type Vulnerabilities } from "./ports.ts";
import { deleteUnfinished, finishSet, insertSet, type Subscription } from "./store/notification-sets.ts";
import { deleteOldOperations, listProcessedOperations, recordOperation } from "./store/notified-operations.ts";
import { clearStaged, readStaged, StagedChanges } from "./store/staged-changes.ts";
import type { NotifierStore } from "./store/tables.ts";
import { usualSubscriber } from "./subscribers.ts";
import { type Reason, summarize, type VulnerabilitySummary } from "./values/notification.ts";
import type { UpdateOperation } from "./values/update-operation.ts";

/** Options of {@link pollUpdates}. */
export interface PollOptions {
  readonly store: NotifierStore;
  readonly updates: UpdateSource;
  readonly affected: AffectedSource;
  readonly clock: Clock;
  /** The subscriber, which has its own record of processed operations. `transport` by default. */
  readonly subscriber?: string;
  /** `summary` by default. */
  readonly mode?: NotificationMode;
  /** `baseline` by default: nothing of a new updater is sent until its next operation. */
  readonly firstSight?: FirstSight;
  readonly signal?: AbortSignal;
}

/** The result for one updater. `busy`: another node is processing it. `failed`: it is tried again with the next poll. */
export type PollResult =
  | { readonly kind: "polled"; readonly updater: string; readonly sets: readonly SetResult[] }
  | { readonly kind: "busy"; readonly updater: string }
  | { readonly kind: "failed"; readonly updater: string; readonly error: unknown };

/** A created set. */
export interface SetResult {
  readonly id: string;
  readonly ref: string;
  readonly notifications: number;
}

/** Long enough for one query to the indexer; renewed before each query. */
const leaseSeconds = 300;

/**
 * Processes every new update operation exactly once: one transaction completes its set, records the operation, and enqueues the job that
 * delivers the set. If one updater fails, the others are still processed.
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
    const subscription = subscriptionOf(options, updater);
    await using lock = await store.tryLock(lockOf(subscription), { clock, leaseSeconds });
    if (lock === undefined) return { kind: "busy", updater };
    const sets: SetResult[] = [];
    for (const step of planSteps(listed, await listProcessedOperations(store, subscription), firstSight)) {
      const set = await processStep(options, lock, step);
      if (set !== undefined) sets.push(set);
    }
    await deleteOldOperations(store, subscription, listed);
    return { kind: "polled", updater, sets };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return { kind: "failed", updater, error };
  }
}

async function processStep(options: PollOptions, lock: ClusterLock, step: Step): Promise<SetResult | undefined> {
  const { store, clock } = options;
  const { operation } = step;
  const subscription = subscriptionOf(options, operation.updater);
  const { subscriber } = subscription;
  if (step.kind === "baseline") {
    await store.transaction((transaction) => recordOperation(transaction, subscriber, operation));
    return undefined;
  }
  const find = await stageChanges(options, lock, step);
  const id = randomUUID();
  const notifications = notificationsOf(options, lock, { subscription, find });
  const isFirst = step.previous === beforeAllOperations;
  const set = { id, subscriber, operation, isFirst, notifications, createdAt: clock.now(), state: "writing" as const };
  const written = await insertSet(store.relaxed, set);
  const result = await store.transaction(async (transaction) => {
    if (!(await recordOperation(transaction, subscriber, operation)) || written === 0) return undefined;
    await finishSet(transaction, id);
    await enqueueJob(transaction, deliverSetJobOf(subscriber).of({ set: id }), clock);
    return { id, ref: operation.ref, notifications: written };
  });
  if (result === undefined) await deleteUnfinished(store, subscription);
  await clearStaged(store, subscription);
  return result;
}

function subscriptionOf({ subscriber = usualSubscriber }: PollOptions, updater: string): Subscription {
  return { subscriber, updater };
}

/** The name of the lock. For the default subscriber, it is the name in older versions. */
function lockOf({ subscriber, updater }: Subscription): string {
  return subscriber === usualSubscriber ? `notifier.poll.${updater}` : `notifier.poll.${subscriber}/${updater}`;
}

/** The lock is renewed after this many manifests while a set is written. */
const manifestsPerRenewal = 10_000;

async function* notificationsOf(
  { store, signal }: PollOptions,
  lock: ClusterLock,
  { subscription, find }: { readonly subscription: Subscription; readonly find: FindNotifications },
) {
  let manifests = 0;
  for await (const changes of readStaged(store.db, subscription)) {
    signal?.throwIfAborted();
    if (++manifests % manifestsPerRenewal === 0) await lock.renew();
    yield* find(changes);
  }
}

/** Stages the changes of an operation for every manifest in the database. Only the vulnerabilities are kept in memory. */
async function stageChanges(
  options: PollOptions,
  lock: ClusterLock,
  { previous, operation }: Extract<Step, { kind: "compare" }>,
): Promise<FindNotifications> {
  const { store, updates, affected, mode = "summary", signal } = options;
  const subscription = subscriptionOf(options, operation.updater);
  await deleteUnfinished(store, subscription);
  const staged = await StagedChanges.begin(store, subscription);
  const diff = await updates.updateDiff({ prev: previous, cur: operation.ref, scope: "related" });
  const queryOptions = { onQuestion: () => lock.renew(), signal };
  const numbers = new NumberedSummaries();
  await stage("added", diff.added);
  await stage("removed", diff.removed);
  await staged.flush();
  return notificationFinder(numbers.summaries, mode);

  async function stage(reason: Reason, changed: Vulnerabilities): Promise<void> {
    for await (const { vulnerabilities, manifests } of findAffected(affected, changed, queryOptions)) {
      await staged.put({ reason, manifests, vulnerabilities: vulnerabilities.map((each) => numbers.numberOf(each)) });
    }
  }
}

/** Distinct summaries, numbered in the order of their first occurrence. */
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

/** The most vulnerabilities of one query, unless they belong to one group. */
const maxPerQuery = 1_000;

/** Options of {@link findAffected}. */
interface FindAffectedOptions {
  readonly signal?: AbortSignal;
  /** Called before each query. */
  readonly onQuery?: () => Promise<void>;
}

/** Vulnerabilities each of which applies to each of the manifests. */
interface AffectedVulnerabilities {
  readonly vulnerabilities: readonly VulnerabilitySummary[];
  /** Digests. */
  readonly manifests: readonly string[];
}

/**
 * Finds the manifests that vulnerabilities apply to, as a stream. A pair may occur several times. Vulnerabilities of one group are sent in one
 * query, because they are judged together.
 */
async function* findAffected(
  source: AffectedSource,
  vulnerabilities: Vulnerabilities,
  options: FindAffectedOptions = {},
): AsyncGenerator<AffectedVulnerabilities> {
  let batch: VulnerabilityJson[] = [];
  for await (const vulnerability of vulnerabilities) {
    if (batch.length > 0 && !belongs(vulnerability, batch)) {
      yield* queryAffected(source, batch, options);
      batch = [];
    }
    batch.push(vulnerability);
  }
  if (batch.length > 0) yield* queryAffected(source, batch, options);
}

/** Whether a vulnerability belongs to the same query as a batch. */
function belongs(vulnerability: VulnerabilityJson, batch: readonly VulnerabilityJson[]): boolean {
  const group = groupOf(vulnerability);
  const [first] = batch;
  if (first === undefined || group !== groupOf(first)) return false;
  return group !== undefined || batch.length < maxPerQuery;
}

/** `rule.group`, which our matcher adds to the members of the contract. */
function groupOf(vulnerability: VulnerabilityJson & { readonly rule?: { readonly group?: string } }) {
  return vulnerability.rule?.group;
}

async function* queryAffected(
  source: AffectedSource,
  batch: readonly VulnerabilityJson[],
  { signal, onQuery: onQuestion }: FindAffectedOptions,
): AsyncGenerator<AffectedVulnerabilities> {
  signal?.throwIfAborted();
  await onQuestion?.();
  const summaries = new Map(batch.map((vulnerability) => [vulnerability.id, summarize(vulnerability)]));
  for await (const { ids, manifests } of source.listAffected(batch as unknown as Json, { signal })) {
    const vulnerabilities = ids.flatMap((id) => summaries.get(id) ?? []);
    if (vulnerabilities.length > 0) yield { vulnerabilities, manifests };
  }
}
