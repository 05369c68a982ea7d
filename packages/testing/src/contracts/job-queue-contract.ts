import assert from "node:assert/strict";
import {
  cancelJob,
  countJobs,
  deleteDeadJob,
  enqueueJob,
  type JobEvent,
  type JobHandler,
  JobRejected,
  listJobs,
  type RunJobsOptions,
  retryDeadJob,
  runDueJobs,
  runNextJob,
  type Store,
  scheduleJob,
  startJobWorker,
} from "@plimsoll/store";
import { type FakeTime, fakeTime } from "../fake-time.ts";
import type { ContractCase } from "./contract.ts";

type Gate = PromiseWithResolvers<void>;

/** A store whose queue is empty, with its time. */
interface Queue {
  readonly store: Store<unknown>;
  readonly time: FakeTime;
}

/** What the job queue promises on every engine. Each case gets a store without jobs. */
export const jobQueueContract: readonly ContractCase<Store<unknown>>[] = [
  promise("runs a job with its payload and removes it", async ({ store, time }) => {
    const seen: unknown[] = [];
    await enqueueJob(store.db, { kind: "test.note", payload: { text: "ä" } }, time.clock);

    const ran = await runDueJobs(worker({ store, time }, async ({ job }) => void seen.push(job.payload)));

    assert.equal(ran, 1);
    assert.deepEqual(seen, [{ text: "ä" }]);
    assert.deepEqual(await listJobs(store.db), []);
  }),
  promise("keeps a job exactly when its transaction is kept", async ({ store, time }) => {
    const failing = store.transaction(async (transaction) => {
      await enqueueJob(transaction, { kind: "test.note" }, time.clock);
      throw new Error("changed my mind");
    });
    await assert.rejects(failing, /changed my mind/);
    assert.deepEqual(await listJobs(store.db), []);

    await store.transaction((transaction) => enqueueJob(transaction, { kind: "test.note" }, time.clock));
    assert.equal((await listJobs(store.db)).length, 1);
  }),
  promise("has one job per unique key until it ends", async ({ store, time }) => {
    const job = { kind: "test.note", uniqueKey: "one" };
    const first = await enqueueJob(store.db, job, time.clock);
    const second = await enqueueJob(store.db, job, time.clock);
    const whileRunning: unknown[] = [];

    await runNextJob(
      worker({ store, time }, async () => void whileRunning.push(await enqueueJob(store.db, job, time.clock))),
    );

    assert.ok(first !== undefined);
    assert.deepEqual([second, ...whileRunning], [undefined, undefined]);
    assert.ok((await enqueueJob(store.db, job, time.clock)) !== undefined);
  }),
  promise("runs what has been due longest first, and nothing early", async ({ store, time }) => {
    const now = time.clock.now();
    const seen: unknown[] = [];
    for (const delay of [30, 10, 5_000, 20]) {
      await enqueueJob(store.db, { kind: "test.note", payload: delay, runAt: now + delay }, time.clock);
    }
    time.advance(100);

    await runDueJobs(worker({ store, time }, async ({ job }) => void seen.push(job.payload)));

    assert.deepEqual(seen, [10, 20, 30]);
  }),
  promise("leaves jobs alone that it has no handler for", async ({ store, time }) => {
    await enqueueJob(store.db, { kind: "test.other" }, time.clock);

    assert.equal(await runDueJobs(worker({ store, time }, async () => {})), 0);
    assert.equal(await runDueJobs({ ...worker({ store, time }, async () => {}), handlers: {} }), 0);
  }),
  promise("tries a failed job again after its back-off", async ({ store, time }) => {
    await enqueueJob(store.db, { kind: "test.note" }, time.clock);
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
  promise("keeps a job that failed too often as a dead letter, which can be tried again", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, { kind: "test.note", uniqueKey: "one", maxAttempts: 2 }, time.clock);
    for (let attempt = 0; attempt < 3; attempt++) {
      await runDueJobs(worker(queue, async () => Promise.reject(new Error("never"))));
      time.advance(3_600_000);
    }
    const [dead] = await listJobs(store.db, { state: "dead" });
    assert.equal(dead?.attempts, 2);
    assert.equal(dead?.lastError, "never");
    assert.deepEqual(await countJobs(store.db), [{ kind: "test.note", state: "dead", jobs: 1 }]);

    assert.equal(await retryDeadJob(store.db, dead.id, time.clock), true);
    assert.equal(await retryDeadJob(store.db, dead.id, time.clock), false);
    assert.equal(await runDueJobs(worker(queue, async () => {})), 1);
    assert.deepEqual(await listJobs(store.db), []);
  }),
  promise("does not revive a dead letter beside a job that took its unique key", async (queue) => {
    const { store, time } = queue;
    const job = { kind: "test.note", uniqueKey: "one", maxAttempts: 1 };
    const id = await enqueueJob(store.db, job, time.clock);
    await runDueJobs(worker(queue, async () => Promise.reject(new Error("never"))));
    assert.ok((await enqueueJob(store.db, job, time.clock)) !== undefined);

    assert.equal(await retryDeadJob(store.db, id ?? "", time.clock), false);
    assert.equal(await deleteDeadJob(store.db, id ?? ""), true);
    assert.equal(await deleteDeadJob(store.db, id ?? ""), false);
  }),
  promise("buries a rejected job at once", async (queue) => {
    await enqueueJob(queue.store.db, { kind: "test.note" }, queue.time.clock);

    await runDueJobs(worker(queue, async () => Promise.reject(new JobRejected("no such thing"))));

    assert.equal((await listJobs(queue.store.db, { state: "dead" }))[0]?.lastError, "no such thing");
  }),
  promise("takes over a job whose worker is gone, and lets the late one change nothing", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, { kind: "test.note" }, time.clock);
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
  promise("lets a late worker that fails change nothing, nor keep the lease of another", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, { kind: "test.note" }, time.clock);
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
    const late = runNextJob({ ...failingLate, sleep: () => beat.promise, onEvent: noteIn(events) });
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
  promise("gives up a job that lost its worker in the last attempt", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, { kind: "test.note", maxAttempts: 1 }, time.clock);
    const began = Promise.withResolvers<void>();
    const forever = () => new Promise<void>(() => {});
    const hanging = worker(queue, () => {
      began.resolve();
      return forever();
    });
    void runNextJob({ ...hanging, sleep: forever });
    await began.promise;
    time.advance(60_000);

    let calls = 0;
    await runDueJobs(worker(queue, async () => void calls++));

    assert.equal(calls, 0);
    assert.match((await listJobs(store.db, { state: "dead" }))[0]?.lastError ?? "", /worker was lost/);
  }),
  promise("keeps the lease of a long job", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, { kind: "test.note" }, time.clock);
    let wasAborted: boolean | undefined;
    const long: JobHandler = async ({ signal }) => {
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
    await enqueueJob(store.db, { kind: "test.note", uniqueKey: "one" }, time.clock);
    const events: JobEvent[] = [];
    const waiting: JobHandler = async ({ signal }) => {
      await cancelJob(store.db, "one");
      await until(() => time.sleepers === 1);
      time.advance(20_000);
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    };

    await runNextJob({ ...worker(queue, waiting), onEvent: noteIn(events) });

    assert.deepEqual(
      events.map(({ kind }) => kind),
      ["began", "lost"],
    );
  }),
  promise("ends a job in the handler's own transaction, once", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, { kind: "test.note" }, time.clock);
    const effect = { kind: "test.effect" };
    const finishing: JobHandler = ({ finishIn }) =>
      store.transaction(async (transaction) => {
        await enqueueJob(transaction, effect, time.clock);
        await finishIn(transaction);
      });

    await runDueJobs(worker(queue, finishing));

    assert.deepEqual(await countJobs(store.db), [{ kind: "test.effect", state: "waiting", jobs: 1 }]);
  }),
  promise("refuses to end a job that another has taken over, so that its transaction fails", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, { kind: "test.note" }, time.clock);
    const late: JobHandler = async ({ finishIn }) => {
      time.advance(60_000);
      await runDueJobs(worker(queue, async () => {}));
      await store.transaction(async (transaction) => {
        await enqueueJob(transaction, { kind: "test.effect" }, time.clock);
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
  promise("runs a recurring job again and again, whatever becomes of it", async (queue) => {
    const { store, time } = queue;
    const schedule = { kind: "test.note", uniqueKey: "poll", everyMs: 1_000, maxAttempts: 1 };
    await scheduleJob(store.db, schedule, time.clock);
    await scheduleJob(store.db, schedule, time.clock);
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
    await cancelJob(store.db, "poll");
    assert.deepEqual(await listJobs(store.db), []);
  }),
  promise("takes a shorter interval at once", async ({ store, time }) => {
    const schedule = { kind: "test.note", uniqueKey: "poll", everyMs: 3_600_000 };
    await scheduleJob(store.db, { ...schedule, runAt: time.clock.now() + 3_600_000 }, time.clock);

    await scheduleJob(store.db, { ...schedule, everyMs: 60_000 }, time.clock);

    const [job] = await listJobs(store.db);
    assert.equal(job?.everyMs, 60_000);
    assert.equal(job?.dueAt, time.clock.now() + 60_000);
  }),
  promise("waits for what runs when it stops, and takes nothing more", async (queue) => {
    const { store, time } = queue;
    const began = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    for (let job = 0; job < 2; job++) await enqueueJob(store.db, { kind: "test.note" }, time.clock);
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
  promise("puts back what still runs after the grace, as if never begun", async (queue) => {
    const { store, time } = queue;
    const began = Promise.withResolvers<void>();
    await enqueueJob(store.db, { kind: "test.note" }, time.clock);
    const untilAborted: JobHandler = ({ signal }) => {
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
  promise("lists jobs by kind and state, a page at a time", async ({ store, time }) => {
    for (let job = 0; job < 5; job++) await enqueueJob(store.db, { kind: "test.note" }, time.clock);
    await enqueueJob(store.db, { kind: "test.other" }, time.clock);

    const first = await listJobs(store.db, { kind: "test.note", state: "waiting", limit: 3 });
    const after = first.at(-1)?.id ?? "";
    const second = await listJobs(store.db, { kind: "test.note", state: "waiting", limit: 3, after });

    assert.deepEqual([first.length, second.length], [3, 2]);
    assert.equal(new Set([...first, ...second].map(({ id }) => id)).size, 5);
    assert.deepEqual(await listJobs(store.db, { state: "running" }), []);
  }),
];

/** What workers on two stores of one database promise each other. */
export const sharedJobQueueContract: readonly ContractCase<readonly [Store<unknown>, Store<unknown>]>[] = [
  {
    name: "runs each job once, whoever takes it",
    async run([one, other]) {
      const time = fakeTime();
      const seen: unknown[] = [];
      for (let payload = 0; payload < 60; payload++) {
        await enqueueJob(one.db, { kind: "test.note", payload }, time.clock);
      }
      const note: JobHandler = async ({ job }) => void seen.push(job.payload);

      const ran = await Promise.all([one, other, one, other].map((store) => runDueJobs(worker({ store, time }, note))));

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

function worker({ store, time }: Queue, handler: JobHandler): RunJobsOptions<unknown> {
  const { clock, random, sleep } = time;
  return { store, handlers: { "test.note": handler }, clock, random, sleep };
}

function noteIn(events: JobEvent[]): (event: JobEvent) => void {
  return (event) => void events.push(event);
}

/** The sleep of a worker that lost touch: it wakes only when the attempt has ended. */
function withoutHeartbeat(_: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

/** Waits, without a timer, for something that other work is about to bring about. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
