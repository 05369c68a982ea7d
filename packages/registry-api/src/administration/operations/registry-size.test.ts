import { measureSizeJob } from "@plimsoll/registry/administration/jobs";
import { runDueJobs, systemTime } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

describe("registrySizeOperations", () => {
  it("queue a count, once, and show what it found", async () => {
    await using registry = await openTestRegistry();
    const { store, time } = registry;
    const root = await registry.session(await registry.user("root"));
    const clock = { now: () => time.now };
    await store.db
      .insertInto("blob")
      .values([1, 2].map((size) => ({ digest: `sha256:${size}`, size_bytes: size * 100, created_at: 0 })))
      .execute();

    const before = await root("GET", "/superuser/registrysize/");
    const queued = await root("POST", "/superuser/registrysize/", {});
    const again = await root("POST", "/superuser/registrysize/");
    const waiting = await root("GET", "/superuser/registrysize/");
    const jobs = [measureSizeJob.withContext({ store, clock })];
    const ran = await runDueJobs({ store, jobs, clock, random: () => 0, sleep: systemTime.sleep });
    const after = await root("GET", "/superuser/registrysize/");

    expect(before.body).toEqual({ size_bytes: 0, last_ran: null, queued: false, running: false });
    expect([queued.status, again.status]).toEqual([201, 201]);
    expect(waiting.body).toEqual({ ...before.body, queued: true });
    expect(ran).toBe(1);
    expect(after.body).toEqual({ size_bytes: 300, last_ran: time.now, queued: false, running: false });
  });
});
