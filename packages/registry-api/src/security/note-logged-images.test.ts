import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import { deleteReportsJob } from "@plimsoll/registry/security/jobs";
import { noteLoggedImages } from "@plimsoll/registry/security/note-logged-images";
import { expect } from "vitest";
import { onEachEngine } from "../fixtures/each-engine.ts";
import type { TestDistribution } from "../fixtures/test-distribution.ts";
import { reportingScanner } from "./fixtures/reporting-scanner.ts";

const never = new AbortController().signal;

/** Has an image pushed, pulled by its digest and deleted, and collects it as an older release would have, without a note of it. */
async function collectUnnoted({ store, blobs, registry, ...world }: TestDistribution, name: string): Promise<string> {
  const { digest } = await world.pushImage(name, "latest");
  await world.send("GET", `${name}/manifests/${digest}`);
  await world.send("DELETE", `${name}/manifests/${digest}`);
  registry.time.now += 60 * 86_400_000;
  for await (const _ of collectGarbage({ store, blobs, now: registry.time.now, since: 0 }));
  await store.db.deleteFrom("collected_image").execute();
  return digest;
}

onEachEngine("noteLoggedImages", (test) => {
  test("has forgotten what was collected without a note, and nothing of other clients", async (world) => {
    const gone = await collectUnnoted(world, "alice/images");
    const { digest: kept } = await world.pushImage("alice/others", "latest", { labels: { a: "b" } });
    await world.send("GET", `alice/others/manifests/${kept}`);
    const foreign = `sha256:${"f".repeat(64)}`;
    const { known, scanner } = reportingScanner([gone, kept, foreign]);
    const clock = { now: () => world.registry.time.now };
    const job = deleteReportsJob.withContext({ store: world.store, scanner, clock });

    await job.run({ job: {}, signal: never } as never);

    expect([...known].sort()).toEqual([kept, foreign].sort());
  });

  test("looks at each entry once, in steps, and at none that came later", async (world) => {
    const { store } = world;
    const gone = await collectUnnoted(world, "alice/images");
    const entry = { kind: "pull_repo", ip: "192.0.2.1", at: 0, performer_name: null } as const;
    const other = `sha256:${"e".repeat(64)}`;
    const odd = [{ manifest_digest: "md5:1" }, { manifest_digest: 7 }, {}];
    const metadata = [...odd, ...Array.from({ length: 1500 }, () => ({ manifest_digest: other }))];
    for (const half of [metadata.slice(0, 1000), metadata.slice(1000)]) {
      const rows = half.map((each) => ({ ...entry, metadata: JSON.stringify(each) }));
      await store.db
        .insertInto("usage_log")
        .values(rows as never)
        .execute();
    }
    const stopped = new AbortController();
    const stopping = {
      ...store,
      async transaction(work: never) {
        stopped.abort();
        return store.transaction(work);
      },
    } as typeof store;

    await expect(noteLoggedImages(stopping, stopped.signal)).rejects.toThrow("aborted");
    const first = await store.db.selectFrom("collected_image").selectAll().orderBy("digest").execute();
    const rest = await noteLoggedImages(store, never);
    const noted = await store.db.selectFrom("collected_image").select("digest").orderBy("digest").execute();
    const entries = await store.db
      .selectFrom("usage_log")
      .select((each) => each.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    await store.db.deleteFrom("collected_image").execute();
    await world.pushImage("alice/images", "latest");
    const again = await noteLoggedImages(store, never);

    expect(first).toEqual([other, gone].sort().map((digest) => ({ digest })));
    expect(noted).toEqual(first);
    expect(rest).toBe(Number(entries.count) - 1000);
    expect(again).toBe(0);
  });
});
