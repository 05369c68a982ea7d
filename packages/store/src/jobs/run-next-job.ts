import { inBackground } from "../in-background.ts";
import type { Store } from "../store.ts";
import { type AttemptResult, afterAttempt, type Settlement } from "./after-attempt.ts";
import { claimJob } from "./claim-job.ts";
import { jobPriorities, type RunnableJob } from "./declare-job.ts";
import type { Clock } from "./enqueue-job.ts";
import type { ClaimedJob, Job } from "./job.ts";
import { type JobEvent, type OnJobEvent, tellJobEvents } from "./job-events.ts";
import { settleJob, withCurrentInterval } from "./lease-job.ts";
import { Attempt, type AttemptEnd } from "./run-attempt.ts";

/** Options of running jobs. */
export interface RunJobsOptions<DB> {
  readonly store: Store<DB>;
  /** The kinds to run, bound to their contexts. */
  readonly jobs: readonly RunnableJob[];
  /** The clocks of all nodes on one database must agree within a few seconds: less than half a lease. */
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Resolves after that time, or as soon as the signal is aborted. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** The lease: a job is taken over this long after the last sign of its worker. 60 by default. */
  readonly leaseSeconds?: number;
  /** Stops running attempts: their jobs return to the queue as if they had never started. */
  readonly signal?: AbortSignal;
  readonly onEvent?: OnJobEvent;
  /** Wraps each attempt, for example to trace it. */
  readonly aroundAttempt?: AroundAttempt;
}

/** Wraps an attempt of a job: calls `run`, and resolves to its result. */
export type AroundAttempt = <End extends EndedAttempt>(
  job: Pick<Job, "id" | "kind" | "attempts">,
  run: () => Promise<End>,
) => Promise<End>;

/** How an attempt ended. */
export interface EndedAttempt {
  readonly result: { readonly kind: "done" | "failed" | "rejected" | "released" };
  readonly error?: unknown;
}

/** Claims a due job and starts an attempt. @returns undefined if no job is due */
export async function beginNextJob<DB>(options: RunJobsOptions<DB>): Promise<BegunJob | undefined> {
  const { store, jobs, clock, leaseSeconds = 60 } = options;
  const leaseMs = leaseSeconds * 1_000;
  const job = await claimJob(store, { classes: byPriority(jobs), now: clock.now(), leaseMs });
  const runnable = jobs.find(({ kind }) => kind === job?.kind);
  if (job === undefined || runnable === undefined) return undefined;
  return { runnable, ended: runClaimed(options, runnable, { job, leaseMs }) };
}

/** A running job. */
export interface BegunJob {
  readonly runnable: RunnableJob;
  /** Resolves when its attempt has ended in any way. */
  readonly ended: Promise<void>;
}

/**
 * Runs one due job.
 * @returns false if there is none
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

async function runClaimed<DB>(
  options: RunJobsOptions<DB>,
  runnable: RunnableJob,
  { job, leaseMs }: { readonly job: ClaimedJob; readonly leaseMs: number },
): Promise<void> {
  const refusal = refusalOf(job, options.clock.now());
  if (refusal !== undefined) return bury(options, { job, runnable }, refusal);
  emit(options, { kind: "started", job });
  const { store, clock, random, sleep, signal } = options;
  const given = { store, runnable, job, clock, random, sleep, leaseMs, signal };
  const attempt = new Attempt(given);
  const run = () => attempt.run();
  const trace = () => options.aroundAttempt?.(job, run) ?? run();
  const end = await (runnable.priority === "urgent" ? trace() : inBackground(trace));
  if (attempt.isFinished && end.result.kind === "done") emit(options, { kind: "succeeded", job });
  else await settle(options, { job, attempt, end, runnable });
}

/** A job that has lost more workers in one attempt probably crashes them. */
const maxLosses = 10;

/** Why a claimed job is not run. */
interface Refusal {
  readonly kind: "dead" | "expired";
  readonly reason: string;
}

function refusalOf(job: ClaimedJob, now: number): Refusal | undefined {
  if (job.losses > maxLosses) return { kind: "dead", reason: `its worker was lost ${job.losses} times in one attempt` };
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
    emit(options, { kind, job, error: new Error(reason) });
}

/** Settles a job; if it is given up, with `onGivenUp` in the same transaction. @returns false if it is not held any more */
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
  readonly job: ClaimedJob;
  readonly attempt: Attempt<DB>;
  readonly end: AttemptEnd;
  readonly runnable: RunnableJob;
}

async function settle<DB>(options: RunJobsOptions<DB>, { job, attempt, end, runnable }: Settled<DB>): Promise<void> {
  const { clock, random, store } = options;
  const { backOff } = runnable;
  const circumstances = { now: clock.now(), random: random(), backOff };
  const settlement = afterAttempt(await withCurrentInterval(store.db, job), end.result, circumstances);
  const isHeld = await settleNotified(options, { job, runnable, settlement });
  const kind = isHeld ? eventKind(end.result, settlement) : await attempt.lossOf();
  emit(options, { kind, job, error: end.error });
}

function eventKind(result: AttemptResult, settlement: Settlement): JobEvent["kind"] {
  if (settlement.kind === "bury") return "dead";
  if (result.kind === "done") return "succeeded";
  return result.kind === "rejected" ? "failed" : result.kind;
}

function emit<DB>({ store, onEvent }: RunJobsOptions<DB>, event: JobEvent): void {
  tellJobEvents(store.db, [event]);
  onEvent?.(event);
}
