import assert from "node:assert/strict";
import { cancelJob, enqueueJob, listJobs, runNextJob, type Store } from "@plimsoll/store";
import { fakeTime } from "../fake-time.ts";
import type { ContractCase } from "./contract.ts";
import { fewEverywhere, gates, type Handler, mirror, running, until, usual } from "./job-kinds.ts";

/** What workers on two stores of one database guarantee about cancelling, concurrency and leases. */
export const sharedJobRulesContract: readonly ContractCase<readonly [Store<unknown>, Store<unknown>]>[] = [
  {
    name: "aborts a running job within a second when another node cancels it",
    async run([one, other]) {
      const time = fakeTime();
      await enqueueJob(one.db, mirror.of("one"), time.clock);
      const events: string[] = [];
      let abortedAfterMs: number | undefined;
      const handler: Handler = async ({ signal }) => {
        const begunAt = time.clock.now();
        signal.addEventListener("abort", () => {
          abortedAfterMs = time.clock.now() - begunAt;
        });
        await cancelJob(other.db, mirror.keyOf("one"));
        await until(() => {
          if (time.sleepers === 1) time.advance(100);
          return signal.aborted;
        });
        throw signal.reason;
      };

      await runNextJob({
        ...running({ store: one, time }, [mirror], handler),
        onEvent: ({ kind }) => void events.push(kind),
      });

      assert.ok(abortedAfterMs !== undefined && abortedAfterMs < 1_000, `after ${abortedAfterMs} ms`);
      assert.deepEqual(events, ["started", "cancelled"]);
      assert.deepEqual(await listJobs(one.db), []);
    },
  },
  {
    name: "runs no more jobs of a kind than its concurrency for all nodes",
    async run([one, other]) {
      const time = fakeTime();
      for (const name of ["1", "2", "3", "4"]) await enqueueJob(one.db, fewEverywhere.of(name), time.clock);
      const ends = Promise.withResolvers<void>();
      const handler: Handler = () => ends.promise;
      let refused = 0;

      const attempts = [one, other, one, other].map(async (store) => {
        if (!(await runNextJob(running({ store, time }, [fewEverywhere], handler)))) refused++;
      });
      await until(() => refused === 2);
      assert.equal((await listJobs(one.db, { state: "running" })).length, 2);
      ends.resolve();
      await Promise.all(attempts);
      assert.equal(await runNextJob(running({ store: other, time }, [fewEverywhere], handler)), true);
    },
  },
  {
    name: "takes a job over after the configured lease",
    async run([one, other]) {
      const time = fakeTime();
      await enqueueJob(one.db, usual.of("one"), time.clock);
      const began = gates("one");
      const ends = gates("one");
      const stuck: Handler = async () => {
        began.open("one");
        await ends.get("one");
      };
      const sleep = () => new Promise<void>(() => {});
      void runNextJob({ ...running({ store: one, time }, [usual], stuck), sleep, leaseSeconds: 3 });
      await began.get("one");
      const taker = { ...running({ store: other, time }, [usual], async () => {}), leaseSeconds: 3 };

      assert.equal(await runNextJob(taker), false);
      time.advance(3_000);
      assert.equal(await runNextJob(taker), true);
    },
  },
];
