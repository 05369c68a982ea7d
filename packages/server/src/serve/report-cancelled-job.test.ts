import { enqueueJob, type JobEvent, onJobEvent, openStore, runDueJobs } from "@plimsoll/store";
import { engineTitle, fakeTime, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { reportCancelledJob } from "./start-jobs.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "tellCancelledJob on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("reports a cancelled job once", async () => {
      await using database = await engine.create();
      await using store = await openStore<unknown>(database.location, { migrations: [] });
      const time = fakeTime(0);
      const payload = { id: "7", kind: "shop.ship", dueAt: 5, attempts: 2, maxAttempts: 12 };
      await enqueueJob(store.db, reportCancelledJob.of(payload), time.clock);
      const events: JobEvent[] = [];
      onJobEvent(store, (event) => void events.push(event));

      await runDueJobs({ store, jobs: [reportCancelledJob.withContext({ store })], ...time });
      await runDueJobs({ store, jobs: [reportCancelledJob.withContext({ store })], ...time });

      expect(events.filter(({ kind }) => kind === "cancelled")).toEqual([{ kind: "cancelled", job: payload }]);
    });
  },
);
