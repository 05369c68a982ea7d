import { type JobHandler, scheduleJob } from "@plimsoll/store";
import { type DeliverOptions, deliverKind, deliverSet } from "./deliver-set.ts";
import { type PollOptions, type PollResult, pollUpdates } from "./poll-updates.ts";
import { expireSets } from "./store/notification-sets.ts";

/** What the notifier needs to run. */
export interface NotifierOptions extends Omit<PollOptions, "signal">, DeliverOptions {
  /** 6 hours where absent. */
  readonly pollEveryMs?: number;
  /** How long delivered and failed sets are kept; 14 where absent. */
  readonly retentionDays?: number;
  readonly onPolled?: (results: readonly PollResult[]) => void;
}

/** The notifier at work: what a job worker runs, and what puts it in the queue. */
export interface Notifier {
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Makes sure that polling and expiry recur. Harmless on every start, on every node. */
  schedule(): Promise<void>;
}

const pollKind = "notifier.poll";
const expireKind = "notifier.expire";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The jobs of the notifier: polling for updates, delivering sets, removing old ones. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { store, clock, pollEveryMs = 6 * hourMs, retentionDays = 14 } = options;
  return {
    handlers: {
      [pollKind]: ({ signal }) => poll(options, signal),
      [deliverKind]: deliverSet(options),
      [expireKind]: async () => {
        await expireSets(store, clock.now() - retentionDays * dayMs);
      },
    },
    async schedule() {
      await scheduleJob(store.db, { kind: pollKind, uniqueKey: pollKind, everyMs: pollEveryMs }, clock);
      await scheduleJob(store.db, { kind: expireKind, uniqueKey: expireKind, everyMs: hourMs }, clock);
    },
  };
}

/** Fails when any updater did, so that the queue tries again sooner than with the next poll. */
async function poll(options: NotifierOptions, signal: AbortSignal): Promise<void> {
  const results = await pollUpdates({ ...options, signal });
  options.onPolled?.(results);
  const failed = results.filter((result) => result.kind === "failed");
  if (failed.length === 0) return;
  const reasons = failed.map(({ updater, error }) => `${updater}: ${error instanceof Error ? error.message : error}`);
  throw new Error(`could not tell what changed: ${reasons.join("; ")}`);
}
