import assert from "node:assert/strict";
import {
  enqueueJob,
  type JobEvent,
  job,
  listJobs,
  retryDeadJob,
  runDueJobs,
  runNextJob,
  type Store,
} from "@plimsoll/store";
import { Type } from "typebox";
import type { ContractCase } from "./contract.ts";
import {
  aborted,
  fresh,
  gates,
  givenUp,
  type Handler,
  promise,
  type Queue,
  running,
  short,
  until,
  usual,
} from "./job-kinds.ts";

const failing: Handler = () => Promise.reject(new Error("broken"));

/** A kind whose `onGivenUp` fails. */
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
  /** How long the job waits before it is run. */
  readonly waitsMs: number;
  readonly error: string;
}

/** Every way in which a job is given up. */
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

/** How jobs end without success: at a deadline, too old, or given up. Each case gets a store without jobs. */
export const jobEndContract: readonly ContractCase<Store<unknown>>[] = [
  promise(
    "aborts an attempt at its deadline, counts it as failed, and waits for the back-off of the kind",
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
  promise("ends the attempt of a handler that ignores its deadline", async (queue) => {
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
  promise(
    "does not run a job that has waited for too long: it becomes a dead letter, and an event is emitted",
    async (queue) => {
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
    },
  ),
  ...givenUpFor.map(({ why, handler, waitsMs, error }) =>
    promise(`runs \`onGivenUp\` in the transaction that ends the job, when ${why}`, async (queue) => {
      const { store, time } = queue;
      await enqueueJob(store.db, givenUp.of("job"), time.clock);
      time.advance(waitsMs);

      await runNextJob(running(queue, [givenUp], (attempt) => handler(attempt, queue)));

      const jobs = await listJobs(store.db);
      assert.deepEqual(jobs.map(({ kind, state, payload }) => [kind, state, payload]).sort(), [
        [givenUp.kind, "dead", "job"],
        [usual.kind, "waiting", `job after 1: ${error}`],
      ]);
    }),
  ),
  promise("leaves a job whose `onGivenUp` fails to another attempt", async (queue) => {
    const { store, time } = queue;
    await enqueueJob(store.db, untold.of("job"), time.clock);

    await assert.rejects(runNextJob(running(queue, [untold], failing)), /no rows/);

    assert.deepEqual(
      (await listJobs(store.db)).map(({ kind, state }) => [kind, state]),
      [[untold.kind, "running"]],
    );
  }),
];
