import assert from "node:assert/strict";
import {
  cancelJob,
  countJobs,
  deleteDeadJob,
  enqueueJob,
  every,
  followSchedules,
  type JobAttempt,
  JobDelayed,
  type JobEvent,
  JobRejected,
  job,
  listJobs,
  type RunJobsOptions,
  retryDeadJob,
  runDueJobs,
  runNextJob,
  type Store,
  startJobWorker,
} from "@plimsoll/store";
import { Type } from "typebox";
import { type FakeTime, fakeTime } from "../fake-time.ts";
import type { ContractCase } from "./contract.ts";

type Handler = (attempt: JobAttempt<unknown>) => Promise<void>;

const payload = Type.Unknown();
const handle = (attempt: JobAttempt<unknown>, handler: Handler) => handler(attempt);
const note = job({ kind: "test.note", payload, handle });
const single = job({ kind: "test.single", payload, key: () => "one", handle });
const poll = job({
  kind: "test.poll",
  key: () => "",
  maxAttempts: 1,
  handle: (attempt, handler: Handler) => handler(attempt),
});
const other = job({ kind: "test.other", handle: async () => {} });
const effect = job({ kind: "test.effect", handle: async () => {} });

type Gate = PromiseWithResolvers<void>;

/** A store with an empty queue, and its time. */
interface Queue {
  readonly store: Store<unknown>;
  readonly time: FakeTime;
}

/** What the job queue guarantees on every engine. Each case gets a store without jobs. */
export const jobQueueContract: readonly ContractCase<Store<unknown>>[] = [
  promise("runs a job with its payload and removes it", async ({ store, time }) => {
    const seen: unknown[] = [];
    await enqueueJob(store.db, note.of({ text: "ä" }), time.clock);

    const ran = await runDueJobs(worker({ store, time }, async ({ job }) => void seen.push(job.payload)));

    assert.equal(ran, 1);
    assert.deepEqual(seen, [{ text: "ä" }]);
    assert.deepEqual(await listJobs(store.db), []);
  }),
  promise("stores a job only if its transaction commits", async ({ store, time }) => {
    const failing = store.transaction(async (transaction) => {
      await enqueueJob(transaction, note.of(null), time.clock);
      throw new Error("changed my mind");
    });
    await assert.rejects(failing, /changed my mind/);
    assert.deepEqual(await listJobs(store.db), []);

    await store.transaction((transaction) => enqueueJob(transaction, note.of(null), time.clock));
    assert.equal((await listJobs(store.db)).length, 1);
  }),
  promise("has one job per unique key until it ends", async ({ store, time }) => {
    const first = await enqueueJob(store.db, single.of(1), time.clock);
    const second = await enqueueJob(store.db, single.of(2), time.clock);
    const whileRunning: unknown[] = [];

    await runNextJob(
      worker({ store, time }, async () => void whileRunning.push(await enqueueJob(store.db, single.of(3), time.clock))),
    );

    assert.ok(first !== undefined);
    assert.deepEqual([second, ...whileRunning], [undefined, undefined]);
    assert.ok((await enqueueJob(store.db, single.of(4), time.clock)) !== undefined);
  }),
  promise("runs the job that has been due longest first, and none early", async ({ store, time }) => {
    const now = time.clock.now();
    const seen: unknown[] = [];
    for (const delay of [30, 10, 5_000, 20]) {
      await enqueueJob(store.db, note.of(delay, { runAt: now + delay }), time.clock);
    }
    time.advance(100);

    await runDueJobs(worker({ store, time }, async ({ job }) => void seen.push(job.payload)));

    assert.deepEqual(seen, [10, 20, 30]);
  }),
  promise("ignores jobs that it has no handler for", async ({ store, time }) => {
    await enqueueJob(store.db, other.of(null), time.clock);

    assert.equal(await runDueJobs(worker({ store, time }, async () => {})), 0);
    assert.equal(await runDueJobs({ ...worker({ store, time }, async () => {}), jobs: [] }), 0);
  }),
  promise("retries a failed job after its back-off", async ({ store, time }) => {
    await enqueueJob(store.db, note.of(null), time.clock);
    const failing = worker({ store, time }, async () => Promise.reject(new Error("not today")));

    await runDueJobs(failing);
    const [job] = await listJobs(store.db);

    assert.equal(job?.state, "waiting");
    assert.equal(job?.lastError, "not today");
    assert.equal(job?.attempts, 1);
    assert.equal(job?.dueAt, time.clock.now() + 3_750);
    assert.equal(await runDueJobs(failing), 0);
    time.advance(3_750);
    assert.equal(await runDueJobs(failing), 1);
  }),
  promise("keeps a job that failed too often as a dead letter, which can be retried", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, single.of(null, { maxAttempts: 2 }), time.clock);
    for (let attempt = 0; attempt < 3; attempt++) {
      await runDueJobs(worker(queue, async () => Promise.reject(new Error("never"))));
      time.advance(3_600_000);
    }
    const [dead] = await listJobs(store.db, { state: "dead" });
    assert.equal(dead?.attempts, 2);
    assert.equal(dead?.lastError, "never");
    assert.deepEqual(await countJobs(store.db), [{ kind: "test.single", state: "dead", jobs: 1 }]);

    assert.equal(await retryDeadJob(store.db, dead.id, time.clock), true);
    assert.equal(await retryDeadJob(store.db, dead.id, time.clock), false);
    assert.equal(await runDueJobs(worker(queue, async () => {})), 1);
    assert.deepEqual(await listJobs(store.db), []);
  }),
  promise("does not retry a dead letter while another job has its unique key", async (queue) => {
    const { store, time } = queue;
    const id = await enqueueJob(store.db, single.of(null, { maxAttempts: 1 }), time.clock);
    await runDueJobs(worker(queue, async () => Promise.reject(new Error("never"))));
    assert.ok((await enqueueJob(store.db, single.of(4), time.clock)) !== undefined);

    assert.equal(await retryDeadJob(store.db, id ?? "", time.clock), false);
    assert.equal(await deleteDeadJob(store.db, id ?? ""), true);
    assert.equal(await deleteDeadJob(store.db, id ?? ""), false);
  }),
  promise("tries a job again not before the time that its handler has named", async (queue) => {
    const { store, time } = queue;
    const id = await enqueueJob(store.db, note.of(null), time.clock);
    await runDueJobs(worker(queue, async () => Promise.reject(new JobDelayed("not before noon", { waitMs: 600_000 }))));
    const goesOn = worker(queue, async () => {});

    const [waiting] = await listJobs(store.db);
    assert.deepEqual([waiting?.id, waiting?.attempts, waiting?.lastError], [id, 1, "not before noon"]);
    time.advance(599_999);
    assert.equal(await runDueJobs(goesOn), 0);
    time.advance(1);
    assert.equal(await runDueJobs(goesOn), 1);
  }),
  promise("makes a rejected job a dead letter at once", async (queue) => {
    await enqueueJob(queue.store.db, note.of(null), queue.time.clock);

    await runDueJobs(worker(queue, async () => Promise.reject(new JobRejected("no such thing"))));

    assert.equal((await listJobs(queue.store.db, { state: "dead" }))[0]?.lastError, "no such thing");
  }),
  promise("takes over a job whose worker is lost, which can change nothing afterwards", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, note.of(null), time.clock);
    const began = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const events: JobEvent[] = [];
    const stuck = worker(queue, async () => {
      began.resolve();
      await goOn.promise;
    });
    const late = runNextJob({ ...stuck, sleep: withoutHeartbeat, onEvent: noteIn(events) });
    await began.promise;

    assert.equal(await runDueJobs(worker(queue, async () => {})), 0);
    time.advance(60_000);
    assert.equal(await runDueJobs(worker(queue, async () => Promise.reject(new Error("second")))), 1);
    goOn.resolve();
    await late;
    assert.equal(events.at(-1)?.kind, "lost");
    assert.equal((await listJobs(store.db))[0]?.lastError, "second");
  }),
  promise("lets a late worker neither record its failure nor renew another's lease", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, note.of(null), time.clock);
    const [lateBegan, lateFails, otherBegan, otherEnds, beat] = Array.from({ length: 5 }, () =>
      Promise.withResolvers<void>(),
    ) as [Gate, Gate, Gate, Gate, Gate];
    const events: JobEvent[] = [];
    let lateSignal: AbortSignal | undefined;
    const failingLate = worker(queue, async ({ signal }) => {
      lateSignal = signal;
      lateBegan.resolve();
      await lateFails.promise;
      throw new Error("late");
    });
    const late = runNextJob({ ...failingLate, sleep: afterOneBeat(beat.promise), onEvent: noteIn(events) });
    await lateBegan.promise;
    time.advance(60_000);
    const other = runNextJob({
      ...worker(queue, async () => {
        otherBegan.resolve();
        await otherEnds.promise;
      }),
      sleep: withoutHeartbeat,
    });
    await otherBegan.promise;
    const [held] = await listJobs(store.db);

    beat.resolve();
    await until(() => lateSignal?.aborted === true);
    const [afterBeat] = await listJobs(store.db);
    lateFails.resolve();
    await late;
    const [afterFailure] = await listJobs(store.db);
    otherEnds.resolve();
    await other;

    assert.deepEqual([afterBeat, afterFailure], [held, held]);
    assert.equal(events.at(-1)?.kind, "lost");
    assert.deepEqual(await listJobs(store.db), []);
  }),
  promise("restarts an attempt whose worker was lost, even the last attempt", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, note.of(null, { maxAttempts: 1 }), time.clock);
    await loseWorker(queue);

    const attempts: number[] = [];
    await runDueJobs(worker(queue, async ({ job }) => void attempts.push(job.attempts)));

    assert.deepEqual(attempts, [1]);
    assert.deepEqual(await listJobs(store.db), []);
  }),
  promise("gives up a job that loses its worker too often", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, note.of(null), time.clock);
    for (let loss = 0; loss <= 10; loss++) await loseWorker(queue);

    let calls = 0;
    await runDueJobs(worker(queue, async () => void calls++));

    assert.equal(calls, 0);
    const [dead] = await listJobs(store.db, { state: "dead" });
    assert.deepEqual([dead?.attempts, dead?.lastError], [1, "its worker was lost 11 times in one attempt"]);
  }),
  promise("counts the lost workers of each attempt separately", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, note.of(null), time.clock);
    await loseWorker(queue);
    await runDueJobs(worker(queue, () => Promise.reject(new Error("failed"))));

    const [waiting] = await listJobs(store.db);
    assert.deepEqual([waiting?.attempts, waiting?.losses, waiting?.lastError], [1, 0, "failed"]);
  }),
  promise("renews the lease of a long job", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, note.of(null), time.clock);
    let wasAborted: boolean | undefined;
    const long: Handler = async ({ signal }) => {
      for (let beat = 0; beat < 10; beat++) {
        await until(() => time.sleepers === 1);
        const before = (await listJobs(store.db))[0]?.dueAt;
        time.advance(20_000);
        await until(async () => (await listJobs(store.db))[0]?.dueAt !== before);
        assert.equal(await runDueJobs(worker(queue, async () => assert.fail("taken twice"))), 0);
      }
      wasAborted = signal.aborted;
    };

    await runNextJob(worker(queue, long));

    assert.equal(wasAborted, false);
    assert.deepEqual(await listJobs(store.db), []);
  }),
  promise("aborts an attempt that lost its lease", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, single.of(null), time.clock);
    const events: JobEvent[] = [];
    const waiting: Handler = async ({ signal }) => {
      await cancelJob(store.db, single.keyOf(null));
      await until(() => time.sleepers === 1);
      time.advance(20_000);
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    };

    await runNextJob({ ...worker(queue, waiting), onEvent: noteIn(events) });

    assert.deepEqual(
      events.map(({ kind }) => kind),
      ["started", "cancelled"],
    );
  }),
  promise("ends a job in the handler's own transaction, once", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, note.of(null), time.clock);
    const finishing: Handler = ({ finishIn }) =>
      store.transaction(async (transaction) => {
        await enqueueJob(transaction, effect.of(null), time.clock);
        await finishIn(transaction);
      });

    await runDueJobs(worker(queue, finishing));

    assert.deepEqual(await countJobs(store.db), [{ kind: "test.effect", state: "waiting", jobs: 1 }]);
  }),
  promise("fails the transaction that ends a job which another worker has taken over", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, note.of(null), time.clock);
    const late: Handler = async ({ finishIn }) => {
      time.advance(60_000);
      await runDueJobs(worker(queue, async () => {}));
      await store.transaction(async (transaction) => {
        await enqueueJob(transaction, effect.of(null), time.clock);
        await finishIn(transaction);
      });
    };
    const errors: unknown[] = [];

    await runNextJob({
      ...worker(queue, late),
      sleep: withoutHeartbeat,
      onEvent: ({ error }) => errors.push(error),
    });

    assert.equal((errors.at(-1) as { code?: string }).code, "lock_lost");
    assert.deepEqual(await listJobs(store.db), []);
  }),
  promise("keeps running a recurring job, whether its runs succeed or fail", async (queue) => {
    const { store, time } = queue;
    await followSchedules(store, [every(poll, 1_000)], time.clock);
    await followSchedules(store, [every(poll, 1_000)], time.clock);
    let turns = 0;
    const worse = worker(queue, async () => {
      if (++turns === 2) throw new Error("second turn");
    });

    for (let turn = 0; turn < 3; turn++) {
      assert.equal(await runDueJobs(worse), 1);
      const [job] = await listJobs(store.db);
      assert.equal(job?.dueAt, time.clock.now() + 1_000);
      assert.equal(job?.lastError, turn === 1 ? "second turn" : undefined);
      time.advance(1_000);
    }
    await cancelJob(store.db, poll.keyOf(null));
    assert.deepEqual(await listJobs(store.db), []);
  }),
  promise("moves the next run when the interval changes", async (queue) => {
    const { store, time } = queue;
    await followSchedules(store, [every(poll, 3_600_000)], time.clock);
    await runDueJobs(worker(queue, async () => {}));
    time.advance(60_000);
    const dueAts: unknown[] = [];

    for (const everyMs of [1_800_000, 7_200_000, 1]) {
      await followSchedules(store, [every(poll, everyMs)], time.clock);
      const [recurring] = await listJobs(store.db);
      assert.equal(recurring?.everyMs, everyMs);
      dueAts.push(recurring?.dueAt);
    }

    const ranAt = time.clock.now() - 60_000;
    assert.deepEqual(dueAts, [ranAt + 1_800_000, ranAt + 7_200_000, ranAt + 60_000]);
  }),
  promise("waits for running jobs when it stops, and starts no more", async (queue) => {
    const { store, time } = queue;
    const began = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    for (let job = 0; job < 2; job++) await enqueueJob(store.db, note.of(null), time.clock);
    const slow = async () => {
      began.resolve();
      await goOn.promise;
    };
    const running = startJobWorker({ ...worker(queue, slow), concurrency: 1 });
    await began.promise;

    const stopped = running.stop();
    goOn.resolve();
    await stopped;

    assert.deepEqual(await countJobs(store.db), [{ kind: "test.note", state: "waiting", jobs: 1 }]);
  }),
  promise("puts jobs that still run after the grace period back, without counting the attempt", async (queue) => {
    const { store, time } = queue;
    const began = Promise.withResolvers<void>();
    await enqueueJob(store.db, note.of(null), time.clock);
    const untilAborted: Handler = ({ signal }) => {
      began.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const running = startJobWorker({ ...worker(queue, untilAborted), concurrency: 1 });
    await began.promise;

    const stopped = running.stop({ graceMs: 5_000 });
    time.advance(5_000);
    await stopped;

    const [job] = await listJobs(store.db);
    assert.equal(job?.state, "waiting");
    assert.equal(job?.attempts, 0);
    assert.equal(job?.dueAt, time.clock.now());
  }),
  promise("lists jobs by kind and state, in pages", async ({ store, time }) => {
    for (let job = 0; job < 5; job++) await enqueueJob(store.db, note.of(null), time.clock);
    await enqueueJob(store.db, other.of(null), time.clock);

    const first = await listJobs(store.db, { kind: "test.note", state: "waiting", limit: 3 });
    const after = ["test.note", first.at(-1)?.id ?? ""] as const;
    const second = await listJobs(store.db, { kind: "test.note", state: "waiting", limit: 3, after });

    assert.deepEqual([first.length, second.length], [3, 2]);
    assert.equal(new Set([...first, ...second].map(({ id }) => id)).size, 5);
    assert.deepEqual(await listJobs(store.db, { state: "running" }), []);
    const all = await listJobs(store.db, { after: ["test.note", "~"] });
    assert.deepEqual(
      all.map(({ kind }) => kind),
      ["test.other"],
    );
  }),
];

/** Claims the due job and never ends it. */
async function loseWorker(queue: Queue): Promise<void> {
  const began = Promise.withResolvers<void>();
  const forever = () => new Promise<void>(() => {});
  const hanging = worker(queue, () => {
    began.resolve();
    return forever();
  });
  void runNextJob({ ...hanging, sleep: forever });
  await began.promise;
  queue.time.advance(60_000);
}

/** What workers on two stores of one database guarantee. */
export const sharedJobQueueContract: readonly ContractCase<readonly [Store<unknown>, Store<unknown>]>[] = [
  {
    name: "runs each job once, whichever worker claims it",
    async run([one, other]) {
      const time = fakeTime();
      const seen: unknown[] = [];
      for (let number = 0; number < 60; number++) {
        await enqueueJob(one.db, note.of(number), time.clock);
      }
      const see: Handler = async ({ job }) => void seen.push(job.payload);

      const ran = await Promise.all([one, other, one, other].map((store) => runDueJobs(worker({ store, time }, see))));

      assert.deepEqual(
        seen.map(Number).sort((a, b) => a - b),
        Array.from({ length: 60 }, (_, index) => index),
      );
      assert.equal(
        ran.reduce((sum, count) => sum + count, 0),
        60,
      );
    },
  },
];

function promise(name: string, run: (queue: Queue) => Promise<void>): ContractCase<Store<unknown>> {
  return { name, run: (store) => run({ store, time: fakeTime() }) };
}

function worker({ store, time }: Queue, handler: Handler): RunJobsOptions<unknown> {
  const { clock, random, sleep } = time;
  return { store, jobs: [note, single, poll].map((each) => each.withContext(handler)), clock, random, sleep };
}

function noteIn(events: JobEvent[]): (event: JobEvent) => void {
  return (event) => void events.push(event);
}

/** The sleep of a worker with one heartbeat, when `beat` resolves. */
function afterOneBeat(beat: Promise<void>): (delayMs: number, signal: AbortSignal) => Promise<void> {
  let beats = 0;
  return (delayMs, signal) => (beats++ === 0 ? beat : withoutHeartbeat(delayMs, signal));
}

/** The sleep of a worker without heartbeats: it wakes only when the attempt has ended. */
function withoutHeartbeat(_: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

/** Waits, without a timer, until other work has made a condition true. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
