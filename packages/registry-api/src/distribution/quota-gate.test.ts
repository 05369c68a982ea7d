import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { digestOf, openTestDistribution, type TestDistribution } from "../fixtures/test-distribution.ts";
import { namespaceUsage } from "../rules/usage.ts";
import { findAccount } from "../store/accounts.ts";

const name = "alice/images";

async function limit(
  { store }: TestDistribution,
  limitBytes: number,
  ...limits: readonly ["Warning" | "Reject", number][]
) {
  const alice = await findAccount(store.db, "alice");
  const namespace_id = alice?.id ?? "";
  const quota = { namespace_id, limit_bytes: limitBytes };
  const { id } = await store.db.insertInto("quota").values(quota).returning("id").executeTakeFirstOrThrow();
  for (const [type, threshold_percent] of limits) {
    await store.db.insertInto("quota_limit").values({ quota_id: id, type, threshold_percent }).execute();
  }
  return namespace_id;
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "quotas on $title",
  ({ engine }) => {
    const test = (title: string, run: (world: TestDistribution) => Promise<void>, options = {}) =>
      it.skipIf(engine.skip !== undefined)(title, async () => {
        await using world = await openTestDistribution({ engine: engine as TestEngine, ...options });
        await run(world);
      });

    test("count each blob once for a namespace and once for each repository", async (world) => {
      const namespaceId = await limit(world, 1_000_000);
      const one = await world.pushImage("alice/one", "a", { layer: "x".repeat(1000) });
      await world.pushImage("alice/one", "b", { layer: "x".repeat(1000), manifest: { annotations: { b: "b" } } });
      await world.pushImage("alice/two", "a", { layer: "x".repeat(1000) });

      const configBytes = Number(
        (await world.send("HEAD", `alice/one/blobs/${one.config}`)).headers.get("content-length"),
      );
      const sizes = await world.store.db.selectFrom("image_repository").select("size_bytes").execute();

      expect(await namespaceUsage(world.store.db, namespaceId)).toBe(1000 + configBytes);
      expect(sizes.map(({ size_bytes }) => size_bytes)).toEqual([1000 + configBytes, 1000 + configBytes]);
    });

    test("refuse a manifest that would reach them, and keep nothing of it", async (world) => {
      const namespaceId = await limit(world, 1000, ["Warning", 10], ["Reject", 90]);
      await world.pushImage(name, "a", { layer: "x".repeat(500) });
      const before = await namespaceUsage(world.store.db, namespaceId);

      await expect(world.pushImage(name, "b", { layer: "y".repeat(500) })).rejects.toThrow(/^403.*DENIED.*exceeded/);

      expect(await namespaceUsage(world.store.db, namespaceId)).toBe(before);
      expect(await (await world.send("GET", `${name}/tags/list`)).json()).toEqual({ name, tags: ["a"] });
      await world.send("PUT", `${name}/manifests/again`, {
        headers: { "content-type": "application/vnd.oci.image.manifest.v1+json" },
        body: await (await world.send("GET", `${name}/manifests/a`)).text(),
      });
      expect((await world.send("GET", `${name}/manifests/again`)).status).toBe(200);
    });

    test("hold however many push at once", async (world) => {
      const namespaceId = await limit(world, 10_000, ["Reject", 100]);

      const pushes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          world.pushImage(`alice/r${index % 3}`, `t${index}`, { layer: String.fromCharCode(65 + index).repeat(900) }),
        ),
      );

      const done = pushes.filter(({ status }) => status === "fulfilled").length;
      const used = await namespaceUsage(world.store.db, namespaceId);
      expect(done).toBeGreaterThan(3);
      expect(used).toBeLessThan(10_000);
      for (const push of pushes) if (push.status === "rejected") expect(String(push.reason)).toMatch(/403.*DENIED/);
    });

    test("refuse an upload before it begins and while it runs, with all that is on its way", async (world) => {
      await limit(world, 40 * 1024 * 1024, ["Reject", 100]);
      const begin = async () => (await world.send("POST", `${name}/blobs/uploads/`)).headers.get("location") ?? "";
      const [first, second] = [await begin(), await begin()];
      const most = new Uint8Array(33 * 1024 * 1024);
      expect((await world.send("PATCH", first, { body: most })).status).toBe(202);

      const patch = await world.send("PATCH", second, { body: most });
      const status = await world.send("GET", second);
      await world.send("PATCH", first, {
        headers: { "content-range": `${most.length}-${most.length + 8 * 1024 * 1024 - 1}` },
        body: new Uint8Array(8 * 1024 * 1024),
      });
      const start = await world.send("POST", `${name}/blobs/uploads/`);

      expect([patch.status, status.status, start.status]).toEqual([403, 404, 403]);
    });

    test(
      "of the registry hold where a namespace has none, and blobs have a size of their own",
      async (world) => {
        const location = (await world.send("POST", `${name}/blobs/uploads/`)).headers.get("location") ?? "";
        const large = await world.send("PATCH", location, { body: "x".repeat(2001) });
        await expect(world.pushImage(name, "a", { layer: "x".repeat(1000) })).rejects.toThrow(/^403.*DENIED/);

        expect(large.status).toBe(413);
        expect((await world.send("GET", location)).status).toBe(404);
        expect((await world.send("HEAD", `${name}/blobs/${digestOf("x".repeat(1000))}`)).status).toBe(200);
      },
      { settings: { defaultQuotaBytes: 1000, maxBlobBytes: 2000 } },
    );
  },
);
