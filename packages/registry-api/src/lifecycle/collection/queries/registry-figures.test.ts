import { collectGarbageJob } from "@plimsoll/registry/lifecycle/collection/jobs";
import { readRegistryFigures } from "@plimsoll/registry/lifecycle/collection/queries/garbage";
import { expect } from "vitest";
import { beginUpload, onEachEngine } from "../../../fixtures/each-engine.ts";

onEachEngine("readRegistryFigures", (test) => {
  test("tells what is under way and waits, and what is stored as the last collection has left it", async (world) => {
    const { store, blobs, registry } = world;
    const clock = { now: () => registry.time.now };
    const collect = async () => {
      const job = { payload: {}, attempts: 1, maxAttempts: 1 };
      const signal = new AbortController().signal;
      await collectGarbageJob.withContext({ store, blobs, clock }).run({ job, signal } as never);
    };
    const nothing = await readRegistryFigures(store);

    await world.pushImage("alice/images", "latest");
    const upload = new URL(await beginUpload(world), "http://localhost").pathname.replace("/v2/", "");
    await world.send("PATCH", upload, { body: "12345" });
    await collect();
    const first = await readRegistryFigures(store);
    await world.pushImage("alice/images", "other", { labels: { a: "b" } });
    registry.time.now += 1;
    await collect();

    const { blobs: stored, bytes } = await store.db
      .selectFrom("blob")
      .select(({ fn }) => [fn.countAll<number>().as("blobs"), fn.sum<number>("size_bytes").as("bytes")])
      .executeTakeFirstOrThrow();
    expect(nothing).toEqual({ uploads: 0, uploadBytes: 0, queuedScans: 0, damagedBlobs: 0 });
    expect(first).toMatchObject({ uploads: 1, uploadBytes: 5, queuedScans: 1 });
    expect(await readRegistryFigures(store)).toEqual({
      stored: { blobs: Number(stored), bytes: Number(bytes) },
      uploads: 1,
      uploadBytes: 5,
      queuedScans: 2,
      damagedBlobs: 0,
      collectedAt: registry.time.now,
    });
    expect(Number(bytes)).toBeGreaterThan(first.stored?.bytes ?? 0);
  });
});
