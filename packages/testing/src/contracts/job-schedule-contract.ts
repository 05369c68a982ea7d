import assert from "node:assert/strict";
import {
  endRecurrence,
  enqueueJob,
  every,
  followSchedules,
  hastenRecurrence,
  listJobs,
  putRecurrence,
  type Recurrence,
  runDueJobs,
  runNextJob,
  type Store,
  schedule,
  startJobWorker,
} from "@plimsoll/store";
import type { ContractCase } from "./contract.ts";
import { gates, mirror, poll, promise, usual } from "./job-kinds.ts";

/** Recurring jobs: schedules that follow rows, and their runs. Each case gets a store without jobs. */
export const jobScheduleContract: readonly ContractCase<Store<unknown>>[] = [
  promise("follows the rows of a schedule: added, changed and removed ones", async ({ store, time }) => {
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
  promise("follows other schedules and runs jobs although the rows of one schedule cannot be read", async (queue) => {
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
  promise("changes a recurrence only if the row's transaction commits", async ({ store, time }) => {
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
  promise("hastens a waiting recurring job, and leaves a current run alone", async (queue) => {
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
  promise("uses the interval that the row has when the run ends", async (queue) => {
    const { store, time } = queue;
    await followSchedules(store, [every(poll, 60_000)], time.clock);
    const change = () => followSchedules(store, [every(poll, 5_000)], time.clock);

    await runNextJob({ store, jobs: [poll.withContext(change)], ...time });

    assert.equal((await listJobs(store.db))[0]?.dueAt, time.clock.now() + 5_000);
  }),
];
