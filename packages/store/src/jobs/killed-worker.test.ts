import { once } from "node:events";
import { engineTitle, forkProgram, storeTestEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openStore } from "../open.ts";
import { enqueueJob } from "./enqueue-job.ts";
import { effectJob, noteJob } from "./fixtures/test-jobs.ts";
import { runDueJobs } from "./job-worker.ts";
import { countJobs, listJobs } from "./list-jobs.ts";
import { systemTime } from "./system-time.ts";

/** Runs a worker in a separate process and kills it during a job. */
async function killWorker(location: string, moment: string): Promise<void> {
  const child = forkProgram(new URL("./fixtures/killed-worker.ts", import.meta.url), [location, moment]);
  const [message] = await once(child, "message");
  expect(message).toBe(moment);
  child.kill("SIGKILL");
  await once(child, "exit");
}

const rows = storeTestEngines
  .filter(({ shared }) => shared)
  .flatMap((engine) =>
    [
      { moment: "before", effects: 1 },
      { moment: "after", effects: 2 },
      { moment: "finishing", effects: 1 },
    ].map((row) => ({ ...row, engine, title: engineTitle(engine) })),
  );

describe("a worker that is killed", () => {
  it.for(rows)("$moment leaves $effects effect(s) and no job on $title", async (row, { skip }) => {
    const { engine, moment, effects } = row;
    skip(engine.skip !== undefined, engine.skip);
    await using database = await engine.create();
    await using store = await openStore<unknown>(database.location, { migrations: [] });
    const { clock } = systemTime;
    const id = await enqueueJob(store.db, noteJob.of(null), clock);
    await killWorker(database.location, moment);
    const later = { now: () => clock.now() + 61_000 };
    const ids: string[] = [];
    const finish = noteJob.withContext(({ job, finishIn }) =>
      store.transaction(async (transaction) => {
        ids.push(job.id);
        await enqueueJob(transaction, effectJob.of(null), clock);
        await finishIn(transaction);
      }),
    );
    const worker = { store, jobs: [finish], ...systemTime };

    expect(await runDueJobs(worker)).toBe(0);
    expect(await listJobs(store.db, { state: "running" })).toHaveLength(1);
    expect(await runDueJobs({ ...worker, clock: later })).toBe(1);

    expect(ids).toEqual([id]);
    expect(await countJobs(store.db)).toEqual([{ kind: "test.effect", state: "waiting", jobs: effects }]);
  });
});
