import { every, followSchedules, job, type RunnableJob, type Schedule } from "@plimsoll/store";
import { type DeliverOptions, deliverSetJobOf } from "./deliver-set.ts";
import { type PollOptions, type PollResult, pollUpdates } from "./poll-updates.ts";
import { expireSets } from "./store/notification-sets.ts";
import { kindOf, usualSubscriber } from "./subscribers.ts";

/** Options of {@link createNotifier}. */
export interface NotifierOptions extends Omit<PollOptions, "signal">, DeliverOptions {
  /** 6 hours by default. */
  readonly pollEveryMs?: number;
  /** How long delivered and failed sets are kept; 14 by default. */
  readonly retentionDays?: number;
  readonly onPolled?: (results: readonly PollResult[]) => void;
}

/** The jobs and schedules of a notifier, for a job worker. */
export interface Notifier {
  readonly jobs: readonly RunnableJob[];
  readonly schedules: readonly Schedule<unknown>[];
  /** Schedules polling and expiry. It may be called at every start, on every node. */
  schedule(): Promise<void>;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Creates the jobs of a notifier: polling for updates, delivering sets, deleting old ones.
 * @example
 * declare const options: NotifierOptions;
 * const { jobs, schedules } = createNotifier(options);
 * const worker = startJobWorker({ store: options.store, jobs, schedules, ...systemTime });
 */
export function createNotifier(options: NotifierOptions): Notifier {
  const { store, clock, subscriber = usualSubscriber, pollEveryMs = 6 * hourMs } = options;
  const pollJob = pollJobOf(subscriber);
  const expireJob = expireJobOf(subscriber);
  const schedules = [every(pollJob, pollEveryMs), every(expireJob, hourMs)];
  const deliverJob = deliverSetJobOf(subscriber);
  return {
    jobs: [pollJob.withContext(options), deliverJob.withContext(options), expireJob.withContext(options)],
    schedules,
    schedule: () => followSchedules(store, schedules, clock),
  };
}

/** The recurring job that finds update operations and creates the sets for them. */
function pollJobOf(subscriber: string) {
  return job({
    kind: kindOf("poll", subscriber),
    key: () => "",
    timeoutSeconds: 6 * 3_600,
    handle: ({ signal }, options: NotifierOptions) => poll(options, signal),
  });
}

/** The recurring job that deletes old sets. */
function expireJobOf(subscriber: string) {
  return job({
    kind: kindOf("expire", subscriber),
    key: () => "",
    priority: "bulk",
    async handle(_, { store, clock, retentionDays = 14 }: NotifierOptions) {
      await expireSets(store, subscriber, clock.now() - retentionDays * dayMs);
    },
  });
}

/** Polls, and fails if an updater failed, so that the queue tries again before the next poll. */
async function poll(options: NotifierOptions, signal: AbortSignal): Promise<void> {
  const results = await pollUpdates({ ...options, signal });
  options.onPolled?.(results);
  const failed = results.filter((result) => result.kind === "failed");
  if (failed.length === 0) return;
  const reasons = failed.map(({ updater, error }) => `${updater}: ${error instanceof Error ? error.message : error}`);
  throw new Error(`could not find what changed: ${reasons.join("; ")}`);
}
