import assert from "node:assert/strict";
import {
  type AroundAttempt,
  cancelJob,
  cancelJobById,
  endRecurrence,
  enqueueJob,
  every,
  followSchedules,
  hastenRecurrence,
  type JobEvent,
  job,
  listJobs,
  newJobs,
  putRecurrence,
  type Recurrence,
  retryDeadJob,
  runDueJobs,
  runNextJob,
  type Store,
  schedule,
  startJobWorker,
  withdrawJobs,
} from "@plimsoll/store";
import { Type } from "typebox";
import type { ContractCase } from "./contract.ts";
import {
  aborted,
  alone,
  fair,
  fresh,
  gates,
  givenUp,
  type Handler,
  hangAfter,
  listen,
  mail,
  mirror,
  poll,
  promise,
  type Queue,
  running,
  short,
  stop,
  told,
  until,
  usual,
} from "./job-kinds.ts";

const failing: Handler = () => Promise.reject(new Error("broken"));

/** A kind whose rows cannot be written. */
const untold = job({
  kind: "test.untold",
  payload: Type.String(),
  maxAttempts: 1,
  handle: (attempt, handler: Handler) => handler(attempt),
  onGivenUp: () => Promise.reject(new Error("no rows")),
});

interface GivenUpFor {
  readonly why: string;
  readonly handler: (attempt: Parameters<Handler>[0], queue: Queue) => Promise<void>;
  /** Before it is run. */
  readonly waitsMs: number;
  readonly error: string;
}

/** Each way in which a job ends without being done. */
const givenUpFor: readonly GivenUpFor[] = [
  { why: "its last attempt failed", handler: failing, waitsMs: 0, error: "broken" },
  {
    why: "the deadline of its last attempt passed",
    async handler({ signal }, { time }) {
      await until(() => time.sleepers === 1);
      time.advance(20_000);
      await aborted(signal);
    },
    waitsMs: 0,
    error: "it did not end within 20 seconds",
  },
  {
    why: "it had waited for too long",
    handler: () => assert.fail("it ran"),
    waitsMs: 600_000,
    error: "it had waited for too long to be worth doing",
  },
];

/** What declared kinds promise on every engine. Each case gets a store without jobs. */
export const jobRulesContract: readonly ContractCase<Store<unknown>>[] = [
  promise("runs urgent kinds first and bulk kinds last, however long they have been due", async (queue) => {
    for (const kind of [mirror, usual, mail]) {
      await enqueueJob(queue.store.db, kind.of(kind.kind), queue.time.clock);
      queue.time.advance(1_000);
    }
    const seen: string[] = [];

    await runDueJobs(running(queue, [mirror, usual, mail], async ({ payload }) => void seen.push(payload)));

    assert.deepEqual(seen, [mail.kind, usual.kind, mirror.kind]);
  }),
  promise("begins an urgent job at once, while bulk jobs fill all that they may", async (queue) => {
    const { store, time } = queue;
    const began = gates("mirror 1", "mirror 2", "mirror 3", "usual", "mail");
    const worker = startJobWorker({ ...running(queue, [mirror, usual, mail], hangAfter(began)), concurrency: 2 });
    await enqueueJob(store.db, mirror.of("mirror 1"), time.clock);
    await began.get("mirror 1");
    for (const name of ["mirror 2", "mirror 3"]) await enqueueJob(store.db, mirror.of(name), time.clock);

    await enqueueJob(store.db, usual.of("usual"), time.clock);
    await began.get("usual");
    await enqueueJob(store.db, mail.of("mail"), time.clock);
    await began.get("mail");

    assert.equal((await listJobs(store.db, { state: "running" })).length, 3);
    await stop(worker, time);
  }),
  promise("runs no more jobs of a kind than its concurrency", async (queue) => {
    const { store, time } = queue;
    const began = gates("first", "second", "usual");
    const ends = gates("first", "second", "usual");
    const handler: Handler = async ({ payload }) => {
      began.open(payload);
      await ends.get(payload);
    };
    await newJobs(store.db, [alone.of("first"), alone.of("second")], time.clock)?.execute();
    const worker = startJobWorker(running(queue, [alone, usual], handler));
    const [firstOne] = await Promise.race([began.get("first"), began.get("second")]);
    await enqueueJob(store.db, usual.of("usual"), time.clock);
    await began.get("usual");

    assert.equal((await listJobs(store.db, { kind: alone.kind, state: "waiting" })).length, 1);
    ends.open(String(firstOne));
    await Promise.all([began.get("first"), began.get("second")]);
    for (const name of ["first", "second", "usual"]) ends.open(name);
    await worker.stop();
  }),
  promise("lets tenants take turns, however many jobs each has enqueued", async (queue) => {
    const { store, time } = queue;
    await newJobs(
      store.db,
      ["a1", "a2", "a3", "a4", "a5"].map((name) => fair.of(name)),
      time.clock,
    )?.execute();
    for (const name of ["b1", "b2", "c1"]) await enqueueJob(store.db, fair.of(name), time.clock);
    const seen: string[] = [];

    await runDueJobs(running(queue, [fair], async ({ payload }) => void seen.push(payload.slice(0, 1))));

    assert.deepEqual(
      [seen.slice(0, 3).sort(), seen.slice(3, 5).sort(), seen.slice(5)],
      [
        ["a", "b", "c"],
        ["a", "b"],
        ["a", "a", "a"],
      ],
    );
  }),
  promise("gives jobs of a tenant that were to wait their turns when they are due", async (queue) => {
    const { store, time } = queue;
    const runAt = time.clock.now() + 5_000;
    for (const name of ["a1", "a2", "a3"]) await enqueueJob(store.db, fair.of(name), time.clock);
    for (const name of ["b1", "b2", "b3"]) await enqueueJob(store.db, fair.of(name, { runAt }), time.clock);
    const seen: string[] = [];
    const note = running(queue, [fair], async ({ payload }) => void seen.push(payload.slice(0, 1)));

    await runNextJob(note);
    time.advance(5_000);
    await runDueJobs(note);

    assert.equal(seen[0], "a");
    assert.deepEqual(seen.slice(1, 5).sort(), ["a", "a", "b", "b"]);
    assert.equal(seen.length, 6);
  }),
  promise(
    "aborts an attempt at its deadline, counts it as failed, and waits the back-off of the kind",
    async (queue) => {
      const { store, time } = queue;
      await enqueueJob(store.db, short.of("slow"), time.clock);
      const events: JobEvent[] = [];
      const slow: Handler = async ({ signal }) => {
        await until(() => time.sleepers === 1);
        time.advance(20_000);
        await aborted(signal);
      };

      await runNextJob({ ...running(queue, [short], slow), onEvent: (event) => events.push(event) });

      const [failed] = await listJobs(store.db);
      assert.deepEqual([failed?.attempts, failed?.lastError], [1, "it did not end within 20 seconds"]);
      assert.equal(failed?.dueAt, time.clock.now() + 75);
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ["started", "failed"],
      );
    },
  ),
  promise("runs each attempt within what is around attempts, and tells it how the attempt ended", async (queue) => {
    await enqueueJob(queue.store.db, usual.of("one"), queue.time.clock);
    await enqueueJob(queue.store.db, short.of("two"), queue.time.clock);
    const seen: string[] = [];
    const handler: Handler = async ({ payload }) => {
      seen.push(payload);
      if (payload === "two") throw new Error("broken");
    };
    const aroundAttempt: AroundAttempt = async ({ kind, attempts }, run) => {
      seen.push(`${kind} ${attempts}`);
      const end = await run();
      seen.push(end.result.kind);
      return end;
    };

    await runDueJobs({ ...running(queue, [usual, short], handler), aroundAttempt });

    assert.deepEqual(seen, ["test.usual 1", "one", "done", "test.short 1", "two", "failed"]);
  }),
  promise("gives up a handler that does not end when its deadline has passed", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, short.of("stuck"), time.clock);
    const began = gates("stuck");
    const stuck: Handler = ({ payload }) => {
      began.open(payload);
      return new Promise(() => {});
    };
    const attempt = runNextJob(running(queue, [short], stuck));
    await began.get("stuck");
    for (const passingMs of [20_000, 10_000]) {
      await until(() => time.sleepers === 1);
      time.advance(passingMs);
    }

    await attempt;

    assert.match((await listJobs(store.db))[0]?.lastError ?? "", /did not end/);
  }),
  promise("does not run what has waited for too long: it becomes a dead letter, and that is told", async (queue) => {
    const { store, time } = queue;
    const id = await enqueueJob(store.db, fresh.of("news"), time.clock);
    time.advance(60_000);
    const events: JobEvent[] = [];
    const seen: string[] = [];
    const worker = running(queue, [fresh], async ({ payload }) => void seen.push(payload));

    await runDueJobs({ ...worker, onEvent: (event) => events.push(event) });
    const [dead] = await listJobs(store.db);
    assert.deepEqual(
      [events.map(({ kind }) => kind), dead?.state, dead?.lastError],
      [["expired"], "dead", "it had waited for too long to be worth doing"],
    );
    assert.deepEqual(seen, []);

    assert.ok(await retryDeadJob(store.db, id ?? "", time.clock));
    await runDueJobs(worker);
    assert.deepEqual(seen, ["news"]);
  }),
  ...givenUpFor.map(({ why, handler, waitsMs, error }) =>
    promise(
      `tells the rows of a job that it is given up, where ${why}, with the end of the job or not at all`,
      async (queue) => {
        const { store, time } = queue;
        await enqueueJob(store.db, givenUp.of("job"), time.clock);
        time.advance(waitsMs);

        await runNextJob(running(queue, [givenUp], (attempt) => handler(attempt, queue)));

        const jobs = await listJobs(store.db);
        assert.deepEqual(jobs.map(({ kind, state, payload }) => [kind, state, payload]).sort(), [
          [givenUp.kind, "dead", "job"],
          [usual.kind, "waiting", `job: ${error}`],
        ]);
      },
    ),
  ),
  promise("leaves a job to another attempt that cannot be told to be given up", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, untold.of("job"), time.clock);

    await assert.rejects(runNextJob(running(queue, [untold], failing)), /no rows/);

    assert.deepEqual(
      (await listJobs(store.db)).map(({ kind, state }) => [kind, state]),
      [[untold.kind, "running"]],
    );
  }),
  promise("removes a waiting job that is cancelled, and tells that", async ({ store, time }) => {
    const events = listen(store);
    const id = await enqueueJob(store.db, usual.of("one"), time.clock);
    await enqueueJob(store.db, mirror.of("two"), time.clock);

    assert.equal(await cancelJobById(store.db, id ?? "", { clock: time.clock, kinds: [] }), true);
    assert.equal(await cancelJobById(store.db, id ?? "", { clock: time.clock, kinds: [] }), false);
    await cancelJob(store.db, mirror.keyOf("two"));

    assert.deepEqual(await listJobs(store.db), []);
    assert.deepEqual(events, ["enqueued", "enqueued", "cancelled", "cancelled"]);
  }),
  promise("puts right what rows say of a job, in the transaction that cancels it", async ({ store, time }) => {
    const id = (await enqueueJob(store.db, told.of("one"), time.clock)) ?? "";
    const payloads = async () => (await listJobs(store.db)).map(({ payload }) => payload);
    const cancelling = { clock: time.clock, kinds: [usual, told] };
    const cancelIn = (db: Store<unknown>["db"]) => cancelJobById(db, id, cancelling);

    await assert.rejects(
      store.transaction(async (db) => {
        await cancelIn(db);
        throw new Error("undone");
      }),
    );
    assert.deepEqual(await payloads(), ["one"]);

    assert.equal(await store.transaction(cancelIn), true);
    assert.deepEqual(await payloads(), [`one was cancelled at ${time.clock.now()}`]);
    assert.equal(await store.transaction(cancelIn), false);
  }),
  promise(
    "withdraws all jobs of kinds, more than one transaction removes, and puts right what rows say",
    async (queue) => {
      const { store, time } = queue;
      const unread = Array.from({ length: 501 }, () => mail.of("unread"));
      await newJobs(store.db, unread, time.clock)?.execute();
      await enqueueJob(store.db, told.of("two"), time.clock);
      await enqueueJob(store.db, fresh.of("kept"), time.clock);

      await withdrawJobs(store, [mail, told], time.clock);

      const kept = await listJobs(store.db);
      assert.deepEqual(
        kept.map(({ payload }) => payload),
        ["kept", `two was cancelled at ${time.clock.now()}`],
      );
    },
  ),
  promise("skips a turn of a recurring job that is cancelled while it runs", async (queue) => {
    const { store, time } = queue;
    const recurs = { store, jobs: [poll.withContext(() => new Promise(() => {}))], ...time };
    await followSchedules(store, [every(poll, 60_000)], time.clock);
    const attempt = runNextJob(recurs);
    await until(() => time.sleepers === 1);
    const [held] = await listJobs(store.db);

    assert.equal(await cancelJobById(store.db, held?.id ?? "", { clock: time.clock, kinds: [] }), true);
    for (const passingMs of [500, 10_000]) {
      await until(() => time.sleepers === 1);
      time.advance(passingMs);
    }
    await attempt;

    const [waiting] = await listJobs(store.db);
    assert.deepEqual([waiting?.state, waiting?.dueAt], ["waiting", time.clock.now() + 60_000 - 10_500]);
  }),
  promise("refuses a payload that does not match the schema of its kind, without showing it", async (queue) => {
    const { store, time } = queue;
    const written = job({
      kind: usual.kind,
      payload: Type.Object({ password: Type.String() }),
      handle: async () => {},
    });
    await enqueueJob(store.db, written.of({ password: "sesame" }), time.clock);

    await runDueJobs(running(queue, [usual], () => assert.fail("it ran")));

    const [dead] = await listJobs(store.db);
    assert.equal(dead?.state, "dead");
    assert.match(dead?.lastError ?? "", /^the payload of test\.usual does not match its schema: it must be string$/);
  }),
  promise("tells that a job is enqueued when its transaction has committed, and not without that", async (queue) => {
    const { store, time } = queue;
    const events = listen(store);
    const failing = store.transaction(async (transaction) => {
      await enqueueJob(transaction, usual.of("one"), time.clock);
      throw new Error("changed my mind");
    });
    await assert.rejects(failing, /changed my mind/);
    assert.deepEqual(events, []);

    await store.transaction(async (transaction) => {
      await newJobs(transaction, [usual.of("one"), usual.of("two")], time.clock)?.execute();
      assert.deepEqual(events, []);
    });
    assert.deepEqual(events, ["enqueued", "enqueued"]);
  }),
  promise("wakes a worker of the same process when a job is enqueued", async (queue) => {
    const { store, time } = queue;
    const began = gates("now");
    const worker = startJobWorker(running(queue, [usual], async ({ payload }) => began.open(payload)));
    await until(() => time.sleepers === 1);

    await enqueueJob(store.db, usual.of("now"), time.clock);

    await began.get("now");
    await worker.stop();
  }),
  promise("follows the rows of a schedule: what is added, changed and removed", async ({ store, time }) => {
    let rows: readonly Recurrence<string>[] = [
      { payload: "a", everyMs: 60_000, startAt: time.clock.now() + 7_000 },
      { payload: "b", everyMs: 60_000 },
    ];
    const mirrors = schedule(mirror, async () => rows);
    const follow = async () => {
      await followSchedules(store, [mirrors], time.clock);
      const found = await listJobs(store.db);
      return found
        .map(({ payload, everyMs, dueAt }) => [payload, everyMs, dueAt - time.clock.now()])
        .sort((a, b) => (String(a) < String(b) ? -1 : 1));
    };

    assert.deepEqual(await follow(), [
      ["a", 60_000, 7_000],
      ["b", 60_000, 0],
    ]);
    rows = [
      { payload: "a", everyMs: 90_000 },
      { payload: "c", everyMs: 1_000 },
    ];
    assert.deepEqual(await follow(), [
      ["a", 90_000, 37_000],
      ["c", 1_000, 0],
    ]);
    rows = [];
    assert.deepEqual(await follow(), []);
  }),
  promise("follows schedules and runs jobs although the rows of one schedule cannot be read", async (queue) => {
    const { store, time } = queue;
    const broken = schedule(mirror, () => Promise.reject(new Error("no such table")));
    const began = gates("usual", "poll");
    const jobs = [usual.withContext(async () => began.open("usual")), poll.withContext(async () => began.open("poll"))];
    const troubles: unknown[] = [];
    await enqueueJob(store.db, usual.of("usual"), time.clock);
    const onTrouble = (error: unknown) => void troubles.push(error);

    const worker = startJobWorker({ store, jobs, schedules: [broken, every(poll, 1_000)], onTrouble, ...time });
    await Promise.all([began.get("usual"), began.get("poll")]);
    await worker.stop();

    assert.deepEqual(troubles, [new Error("no such table")]);
  }),
  promise("changes what recurs exactly when the row's transaction is kept", async ({ store, time }) => {
    const failing = store.transaction(async (transaction) => {
      await putRecurrence({ db: transaction, clock: time.clock }, mirror, { payload: "a", everyMs: 1_000 });
      throw new Error("changed my mind");
    });
    await assert.rejects(failing, /changed my mind/);
    assert.deepEqual(await listJobs(store.db), []);

    await store.transaction((transaction) =>
      putRecurrence({ db: transaction, clock: time.clock }, mirror, { payload: "a", everyMs: 1_000 }),
    );
    assert.equal((await listJobs(store.db))[0]?.everyMs, 1_000);
    await endRecurrence(store.db, mirror, "a");
    assert.deepEqual(await listJobs(store.db), []);
  }),
  promise("lets what recurs run now where it waits, and leaves a run that is under way alone", async (queue) => {
    const { store, time } = queue;
    await putRecurrence({ db: store.db, clock: time.clock }, poll, { payload: null, everyMs: 60_000 });
    let ran = 0;
    const hasten = async () => {
      ran++;
      await hastenRecurrence({ db: store.db, clock: time.clock }, poll, null);
    };
    const run = () => runDueJobs({ store, jobs: [poll.withContext(hasten)], ...time });

    await run();
    await run();
    await hastenRecurrence({ db: store.db, clock: time.clock }, poll, null);
    await run();

    assert.equal(ran, 2);
    assert.equal((await listJobs(store.db))[0]?.dueAt, time.clock.now() + 60_000);
  }),
  promise("takes the interval that a row has when the run ends", async (queue) => {
    const { store, time } = queue;
    await followSchedules(store, [every(poll, 60_000)], time.clock);
    const change = () => followSchedules(store, [every(poll, 5_000)], time.clock);

    await runNextJob({ store, jobs: [poll.withContext(change)], ...time });

    assert.equal((await listJobs(store.db))[0]?.dueAt, time.clock.now() + 5_000);
  }),
];
