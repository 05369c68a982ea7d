import assert from "node:assert/strict";
import {
  cancelJob,
  cancelJobById,
  enqueueJob,
  every,
  followSchedules,
  type JobEvent,
  listJobs,
  newJobs,
  runNextJob,
  type Store,
  withdrawJobs,
} from "@plimsoll/store";
import type { ContractCase } from "./contract.ts";
import { fresh, listen, mail, mirror, poll, promise, running, told, until, usual } from "./job-kinds.ts";

/** What cancelling jobs and withdrawing their kinds guarantee. Each case gets a store without jobs. */
export const jobCancelContract: readonly ContractCase<Store<unknown>>[] = [
  promise("removes a waiting job that is cancelled, and emits an event", async ({ store, time }) => {
    const events = listen(store);
    const id = await enqueueJob(store.db, usual.of("one"), time.clock);
    await enqueueJob(store.db, mirror.of("two"), time.clock);

    assert.equal(await cancelJobById(store.db, id ?? "", { clock: time.clock, kinds: [] }), true);
    assert.equal(await cancelJobById(store.db, id ?? "", { clock: time.clock, kinds: [] }), false);
    await cancelJob(store.db, mirror.keyOf("two"));

    assert.deepEqual(await listJobs(store.db), []);
    assert.deepEqual(events, ["enqueued", "enqueued", "cancelled", "cancelled"]);
  }),
  promise("runs `onCancelled` of a job in the transaction that cancels it", async ({ store, time }) => {
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
    "withdraws all jobs of the given kinds, more than one transaction removes, and runs their `onCancelled`",
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
  promise("skips a run of a recurring job that is cancelled while it runs", async (queue) => {
    const { store, time } = queue;
    const recurs = { store, jobs: [poll.withContext(() => new Promise(() => {}))], ...time };
    await followSchedules(store, [every(poll, 60_000)], time.clock);
    const attempt = runNextJob(recurs);
    await until(() => time.sleepers === 1);
    const [held] = await listJobs(store.db);

    assert.equal(await cancelJobById(store.db, held?.id ?? "", { clock: time.clock, kinds: [] }), true);
    for (const passingMs of [500, 250]) {
      await until(() => time.sleepers === 1);
      time.advance(passingMs);
    }
    await attempt;

    const [waiting] = await listJobs(store.db);
    assert.deepEqual([waiting?.state, waiting?.dueAt], ["waiting", time.clock.now() + 60_000 - 750]);
  }),
  promise("ends a cancelled job within a second, even if its handler ignores the signal", async (queue) => {
    const { store, time } = queue;
    const id = await enqueueJob(store.db, usual.of("deaf"), time.clock);
    const events: JobEvent[] = [];
    const deaf = running(queue, [usual], () => new Promise(() => {}));
    const attempt = runNextJob({ ...deaf, onEvent: (event) => events.push(event) });
    await until(() => time.sleepers === 1);

    const before = time.clock.now();
    await cancelJobById(store.db, id ?? "", { clock: time.clock, kinds: [] });
    for (const passingMs of [500, 250]) {
      await until(() => time.sleepers === 1);
      time.advance(passingMs);
    }
    await attempt;

    assert.ok(time.clock.now() - before < 1_000);
    assert.equal(events.at(-1)?.kind, "cancelled");
  }),
];
