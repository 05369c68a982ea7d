import assert from "node:assert/strict";
import { enqueueJob, job, listJobs, newJobs, runDueJobs, type Store, startJobWorker } from "@plimsoll/store";
import { Type } from "typebox";
import type { ContractCase } from "./contract.ts";
import { gates, listen, promise, running, until, usual } from "./job-kinds.ts";

/** What enqueueing a job of a declared kind guarantees. Each case gets a store without jobs. */
export const jobEnqueueContract: readonly ContractCase<Store<unknown>>[] = [
  promise("rejects a payload that does not match the schema of its kind, without showing it", async (queue) => {
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
  promise("emits the event of an enqueued job only once its transaction has committed", async (queue) => {
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
  promise("wakes a worker of the same process when a job is enqueued there", async (queue) => {
    const { store, time } = queue;
    const began = gates("now");
    const worker = startJobWorker(running(queue, [usual], async ({ payload }) => began.open(payload)));
    await until(() => time.sleepers === 1);

    await enqueueJob(store.db, usual.of("now"), time.clock);

    await began.get("now");
    await worker.stop();
  }),
];
