import { fakeTime } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { isInBackground } from "./in-background.ts";
import { type JobPriority, job } from "./jobs/declare-job.ts";
import { enqueueJob } from "./jobs/enqueue-job.ts";
import { runDueJobs } from "./jobs/job-worker.ts";
import { openStore } from "./open.ts";

describe("inBackground", () => {
  it.each<[JobPriority, boolean]>([
    ["urgent", false],
    ["normal", true],
    ["bulk", true],
  ])("runs the attempt of a job that is %s: %s", async (priority, expected) => {
    await using store = await openStore(":memory:", { migrations: [] });
    const time = fakeTime();
    const seen: boolean[] = [];
    const noted = job({ kind: "test.noted", priority, handle: async () => void seen.push(isInBackground()) });

    await enqueueJob(store.db, noted.of(null), time.clock);
    await runDueJobs({ store, jobs: [noted.withContext({})], ...time });

    expect(seen).toEqual([expected]);
  });
});
