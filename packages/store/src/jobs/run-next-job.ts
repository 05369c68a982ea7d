import { inBackground } from "../in-background.ts";
import type { Store } from "../store.ts";
import { type AttemptResult, afterAttempt, type Settlement } from "./after-attempt.ts";
import { jobPriorities, type RunnableJob } from "./declare-job.ts";
import type { Clock } from "./enqueue-job.ts";
import type { Job, TakenJob } from "./job.ts";
import { type JobEvent, type OnJobEvent, tellJobEvents } from "./job-events.ts";
import { settleJob, withCurrentInterval } from "./lease-job.ts";
import { Attempt, type AttemptEnd } from "./run-attempt.ts";
import { takeJob } from "./take-job.ts";

/** What running jobs needs. */
export interface RunJobsOptions<DB> {
  readonly store: Store<DB>;
  /** The kinds that are run, with what their handlers need. */
  readonly jobs: readonly RunnableJob[];
  /** Of all nodes on one database the clocks agree to within a few seconds: less than half a lease. */
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Resolves after that time, or as soon as the signal is aborted. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** After how long without a sign of its worker a job is taken over. 60 where absent. */
  readonly leaseSeconds?: number;
  /** Stops what runs: the job goes back to the queue as if it had never begun. */
  readonly signal?: AbortSignal;
  readonly onEvent?: OnJobEvent;
  /** Called around each attempt, for those who trace them; attempts run by themselves where absent. */
  readonly aroundAttempt?: AroundAttempt;
}

/** Runs an attempt of a job, and gives back how it ended. */
export type AroundAttempt = <End extends EndedAttempt>(
  job: Pick<Job, "id" | "kind" | "attempts">,
  run: () => Promise<End>,
) => Promise<End>;

/** How an attempt ended. */
export interface EndedAttempt {
  readonly result: { readonly kind: "done" | "failed" | "rejected" | "released" };
  readonly error?: unknown;
}

/** Takes a job that is due and begins an attempt. @returns its end; undefined when no job is due */
export async function beginNextJob<DB>(options: RunJobsOptions<DB>): Promise<BegunJob | undefined> {
  const { store, jobs, clock, leaseSeconds = 60 } = options;
  const leaseMs = leaseSeconds * 1_000;
  const job = await takeJob(store, { classes: byPriority(jobs), now: clock.now(), leaseMs });
  const runnable = jobs.find(({ kind }) => kind === job?.kind);
  if (job === undefined || runnable === undefined) return undefined;
  return { runnable, ended: runTaken(options, runnable, { job, leaseMs }) };
}

/** A job that runs. */
export interface BegunJob {
  readonly runnable: RunnableJob;
  /** Resolves when its attempt has ended, however. */
  readonly ended: Promise<void>;
}

/**
 * Runs one job that is due.
 * @returns false when there is none
 * @example
 * import { Type } from "typebox";
 *
 * declare const store: Store<unknown>;
 * const buildTree = job({
 *   kind: "build-tree",
 *   payload: Type.Object({ root: Type.String() }),
 *   key: ({ root }) => root,
 *   handle: async ({ payload }) => console.log(payload.root),
 * });
 * const ran = await runNextJob({ store, jobs: [buildTree.withContext({})], ...systemTime });
 */
export async function runNextJob<DB>(options: RunJobsOptions<DB>): Promise<boolean> {
  const begun = await beginNextJob(options);
  await begun?.ended;
  return begun !== undefined;
}

function byPriority(jobs: readonly RunnableJob[]): readonly (readonly RunnableJob[])[] {
  return jobPriorities.map((priority) => jobs.filter((each) => (each.priority ?? "normal") === priority));
}

async function runTaken<DB>(
  options: RunJobsOptions<DB>,
  runnable: RunnableJob,
  { job, leaseMs }: { readonly job: TakenJob; readonly leaseMs: number },
): Promise<void> {
  const refusal = refusalOf(job, options.clock.now());
  if (refusal !== undefined) return bury(options, { job, runnable }, refusal);
  tell(options, { kind: "started", job });
  const { store, clock, random, sleep, signal } = options;
  const given = { store, runnable, job, clock, random, sleep, leaseMs, ...(signal && { signal }) };
  const attempt = new Attempt(given);
  const run = () => attempt.run();
  const trace = () => options.aroundAttempt?.(job, run) ?? run();
  const end = await (runnable.priority === "urgent" ? trace() : inBackground(trace));
  if (attempt.isFinished && end.result.kind === "done") tell(options, { kind: "succeeded", job });
  else await settle(options, { job, attempt, end, runnable });
}

/** A job whose workers are lost so often in one attempt most likely ends them itself. */
const mostLosses = 10;

/** Why a job that was taken is not run. */
interface Refusal {
  readonly kind: "dead" | "expired";
  readonly reason: string;
}

function refusalOf(job: TakenJob, now: number): Refusal | undefined {
  if (job.losses > mostLosses)
    return { kind: "dead", reason: `its worker was lost ${job.losses} times in one attempt` };
  if (job.expiresAt === undefined || job.expiresAt > now || job.everyMs !== undefined) return undefined;
  return { kind: "expired", reason: "it had waited for too long to be worth doing" };
}

async function bury<DB>(
  options: RunJobsOptions<DB>,
  { job, runnable }: Pick<Settled<DB>, "job" | "runnable">,
  { kind, reason }: Refusal,
): Promise<void> {
  const { clock, random } = options;
  const result = { kind: "rejected", error: reason } as const;
  const settlement = afterAttempt(job, result, { now: clock.now(), random: random() });
  if (await settleNotified(options, { job, runnable, settlement }))
    tell(options, { kind, job, error: new Error(reason) });
}

/** Settles a job; what it leaves to do where it is given up is part of the transaction. @returns false where it is not held any more */
async function settleNotified<DB>(
  { store, clock }: RunJobsOptions<DB>,
  { job, runnable, settlement }: Pick<Settled<DB>, "job" | "runnable"> & { readonly settlement: Settlement },
): Promise<boolean> {
  const { onGivenUp } = runnable;
  if (settlement.kind !== "bury" || onGivenUp === undefined) return settleJob(store.db, job, settlement);
  return store.transaction(async (db) => {
    const isHeld = await settleJob(db, job, settlement);
    if (isHeld) await onGivenUp({ job, payload: job.payload, db, now: clock.now(), error: settlement.lastError });
    return isHeld;
  });
}

interface Settled<DB> {
  readonly job: TakenJob;
  readonly attempt: Attempt<DB>;
  readonly end: AttemptEnd;
  readonly runnable: RunnableJob;
}

async function settle<DB>(options: RunJobsOptions<DB>, { job, attempt, end, runnable }: Settled<DB>): Promise<void> {
  const { clock, random, store } = options;
  const { backOff } = runnable;
  const circumstances = { now: clock.now(), random: random(), ...(backOff !== undefined && { backOff }) };
  const settlement = afterAttempt(await withCurrentInterval(store.db, job), end.result, circumstances);
  const isHeld = await settleNotified(options, { job, runnable, settlement });
  const kind = isHeld ? eventKind(end.result, settlement) : await attempt.lossOf();
  tell(options, { kind, job, ...(end.error !== undefined && { error: end.error }) });
}

function eventKind(result: AttemptResult, settlement: Settlement): JobEvent["kind"] {
  if (settlement.kind === "bury") return "dead";
  if (result.kind === "done") return "succeeded";
  return result.kind === "rejected" ? "failed" : result.kind;
}

function tell<DB>({ store, onEvent }: RunJobsOptions<DB>, event: JobEvent): void {
  tellJobEvents(store.db, [event]);
  onEvent?.(event);
}
