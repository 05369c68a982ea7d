/** Kinds of jobs and helpers of the contracts about jobs. */
import {
  enqueueJob,
  type JobAttempt,
  job,
  onJobEvent,
  type RunJobsOptions,
  type RunnableJob,
  type Store,
  type startJobWorker,
} from "@plimsoll/store";
import { Type } from "typebox";
import { type FakeTime, fakeTime } from "../fake-time.ts";
import type { ContractCase } from "./contract.ts";

/** The handler of a job of these kinds. */
export type Handler = (attempt: JobAttempt<string>) => Promise<void>;

const payload = Type.String();
const key = (name: string) => name;
const handle = (attempt: JobAttempt<string>, handler: Handler) => handler(attempt);

/** Kinds of jobs, one for each rule. */
export const mail = job({ kind: "test.mail", payload, priority: "urgent", handle });
export const usual = job({ kind: "test.usual", payload, handle });
export const mirror = job({ kind: "test.mirror", payload, priority: "bulk", concurrency: 100, key, handle });
export const alone = job({ kind: "test.alone", payload, concurrency: 1, handle });
export const fewEverywhere = job({ kind: "test.few", payload, concurrency: 9, clusterConcurrency: 2, handle });
export const fair = job({ kind: "test.fair", payload, tenant: (text) => text.slice(0, 1), handle });
export const short = job({
  kind: "test.short",
  payload,
  timeoutSeconds: 20,
  backOff: { firstMs: 100, longestMs: 100 },
  maxAttempts: 2,
  handle,
});
/** A kind whose cancellation is recorded in other rows: here, as a job. */
export const told = job({
  kind: "test.told",
  payload,
  handle,
  onCancelled: async ({ payload, db, now }) =>
    void (await enqueueJob(db, usual.of(`${payload} was cancelled at ${now}`), { now: () => now })),
});
/** A kind whose given up jobs (failed, past their deadline or too old) are recorded in other rows: here, as jobs. */
export const givenUp = job({
  kind: "test.given-up",
  payload,
  timeoutSeconds: 20,
  maxAttempts: 1,
  staleAfterSeconds: 600,
  handle,
  onGivenUp: async ({ job, payload, db, now, error }) =>
    void (await enqueueJob(db, usual.of(`${payload} after ${job.attempts}: ${error}`), { now: () => now })),
});
export const fresh = job({ kind: "test.fresh", payload, staleAfterSeconds: 60, handle });
export const poll = job({ kind: "test.poll", key: () => "", handle: (_, handler: () => Promise<void>) => handler() });

/** A store with an empty queue, and its time. */
export interface Queue {
  readonly store: Store<unknown>;
  readonly time: FakeTime;
}

/** One guarantee of the queue. */
export function promise(name: string, run: (queue: Queue) => Promise<void>): ContractCase<Store<unknown>> {
  return { name, run: (store) => run({ store, time: fakeTime() }) };
}

/** Options that run jobs of these kinds with one handler. */
export function running(
  { store, time }: Queue,
  kinds: readonly { withContext(handler: Handler): RunnableJob }[],
  handler: Handler,
): RunJobsOptions<unknown> {
  const { clock, random, sleep } = time;
  return { store, jobs: kinds.map((kind) => kind.withContext(handler)), clock, random, sleep };
}

/** The kinds of the events of a store, in order; it grows as they are emitted. */
export function listen(store: Store<unknown>): readonly string[] {
  const events: string[] = [];
  onJobEvent(store, ({ kind }) => void events.push(kind));
  return events;
}

/** Gates to wait at, by name. Waiting at one returns its name once it is open. */
export function gates(...names: readonly string[]) {
  const all = new Map(names.map((name) => [name, Promise.withResolvers<string>()]));
  return {
    open: (name: string) => all.get(name)?.resolve(name),
    get: async (name: string) => [await all.get(name)?.promise],
  };
}

/** A handler that opens the gate of its payload, and runs until it is aborted. */
export function hangAfter(began: ReturnType<typeof gates>): Handler {
  return async ({ payload, signal }) => {
    began.open(payload);
    await aborted(signal);
  };
}

/** Rejects once a signal is aborted, with its reason. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

/** Stops a worker whose jobs end when they are aborted. */
export async function stop(worker: ReturnType<typeof startJobWorker>, time: FakeTime): Promise<void> {
  const stopped = worker.stop({ graceMs: 1 });
  time.advance(1);
  await stopped;
}

/** Waits, without a timer, until other work has made a condition true. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
