import { enqueueJob, type Job, job, listJobs, openStore, systemTime } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { startJobs } from "./start-jobs.ts";

const engines = testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("startJobs on $title", ({ engine }) => {
  it.skipIf(engine.skip !== undefined)("leases a job for the configured time", async () => {
    await using database = await engine.create();
    await using store = await openStore<unknown>(database.location, { migrations: [] });
    await using resources = new AsyncDisposableStack();
    const began = Promise.withResolvers<readonly Job[]>();
    const note = job({
      kind: "test.note",
      handle: async () => began.resolve(await listJobs(store.db, { state: "running" })),
    });
    const jobs = [note.withContext(undefined)];
    const schedule = async () => void (await enqueueJob(store.db, note.of(null), systemTime.clock));
    const before = Date.now();

    const settings = { jobLeaseSeconds: 5000 };
    const logger = pino({ level: "silent" });
    await startJobs({ store, jobs, schedules: [], schedule, settings, logger }, resources);

    const [running] = await began.promise;
    const leasedSeconds = (Number(running?.dueAt) - before) / 1000;
    expect(leasedSeconds).toBeGreaterThanOrEqual(5000);
    expect(leasedSeconds).toBeLessThan(6000);
  });
});
