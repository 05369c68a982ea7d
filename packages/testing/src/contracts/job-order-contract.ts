import assert from "node:assert/strict";
import {
  type AroundAttempt,
  enqueueJob,
  listJobs,
  newJobs,
  runDueJobs,
  runNextJob,
  type Store,
  startJobWorker,
} from "@plimsoll/store";
import type { ContractCase } from "./contract.ts";
import {
  alone,
  fair,
  gates,
  type Handler,
  hangAfter,
  mail,
  mirror,
  promise,
  running,
  short,
  stop,
  usual,
} from "./job-kinds.ts";

/** What decides the order of jobs: priority, concurrency and tenants; and `aroundAttempt`. Each case gets a store without jobs. */
export const jobOrderContract: readonly ContractCase<Store<unknown>>[] = [
  promise("runs urgent kinds first and bulk kinds last, however long they have been due", async (queue) => {
    for (const kind of [mirror, usual, mail]) {
      await enqueueJob(queue.store.db, kind.of(kind.kind), queue.time.clock);
      queue.time.advance(1_000);
    }
    const seen: string[] = [];

    await runDueJobs(running(queue, [mirror, usual, mail], async ({ payload }) => void seen.push(payload)));

    assert.deepEqual(seen, [mail.kind, usual.kind, mirror.kind]);
  }),
  promise("starts an urgent job at once, while bulk jobs use their whole share", async (queue) => {
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
  promise("gives a tenant turns for jobs enqueued for later, once they are due", async (queue) => {
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
  promise("runs each attempt inside `aroundAttempt`, which learns how the attempt ended", async (queue) => {
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
];
