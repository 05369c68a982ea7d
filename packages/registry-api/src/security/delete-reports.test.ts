import type { Digest } from "@plimsoll/core/digest";
import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import { basicScanner, type ImageScanner } from "@plimsoll/registry/ports/scanning";
import { deleteReports } from "@plimsoll/registry/security/delete-reports";
import { scanManifest } from "@plimsoll/registry/security/scan-manifest";
import { expect } from "vitest";
import { onEachEngine } from "../fixtures/each-engine.ts";
import type { TestDistribution } from "../fixtures/test-distribution.ts";

/** A scanner that only knows what it has reports of. */
function openScanner() {
  const reports = new Set<string>();
  const scanner: ImageScanner = {
    ...basicScanner,
    state: async () => "one",
    index: async ({ digest }) => void reports.add(digest),
    find: () => Promise.reject(new Error("not called in this test")),
    delete: async (digests) => {
      for (const digest of digests) reports.delete(digest);
    },
  };
  return { reports, scanner };
}

const never = new AbortController().signal;

function optionsOf({ store, blobs, registry }: TestDistribution, scanner: ImageScanner) {
  return {
    store,
    scanner,
    blobs,
    clock: { now: () => registry.time.now },
    settings: registry.settings,
    pageAddress: registry.pageAddress,
  };
}

async function pushAndScan(world: TestDistribution, scanner: ImageScanner, name: string): Promise<string> {
  const { digest } = await world.pushImage(name, "latest");
  const { db } = world.store;
  const manifests = await db.selectFrom("image_manifest").select("id").where("digest", "=", digest).execute();
  for (const { id } of manifests) {
    const scan = {
      manifest_id: id,
      state: "queued",
      reason: null,
      attempts: 0,
      index_state: null,
      changed_at: 0,
    } as const;
    await db
      .insertInto("manifest_scan")
      .values(scan)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await scanManifest(optionsOf(world, scanner), id, never);
  }
  return digest;
}

async function deleteAndCollect(world: TestDistribution, name: string, digest: string): Promise<void> {
  await world.send("DELETE", `${name}/manifests/${digest}`);
  world.registry.time.now += 60 * 86_400_000;
  const { store, blobs, registry } = world;
  for await (const _ of collectGarbage({ store, blobs, now: registry.time.now, since: 0 }));
}

onEachEngine("deleteReports", (test) => {
  test("has the scanner forget an image when the last repository that had it was collected", async (world) => {
    const { reports, scanner } = openScanner();
    const digest = await pushAndScan(world, scanner, "alice/images");
    await pushAndScan(world, scanner, "alice/copies");

    await deleteAndCollect(world, "alice/images", digest);
    const first = await deleteReports(optionsOf(world, scanner), never);
    const between = [...reports];
    await deleteAndCollect(world, "alice/copies", digest);
    const second = await deleteReports(optionsOf(world, scanner), never);

    expect([first, second]).toEqual([0, 1]);
    expect(between).toEqual([digest]);
    expect([...reports]).toEqual([]);
    expect(await world.store.db.selectFrom("collected_image").selectAll().execute()).toEqual([]);
  });

  test("forgets what was read while it was collected", async (world) => {
    const { reports, scanner } = openScanner();
    const collecting: ImageScanner = {
      ...scanner,
      index: async (image) => {
        await scanner.index(image);
        await world.store.db.deleteFrom("tag").execute();
        await world.store.db.deleteFrom("image_manifest").execute();
      },
    };

    const digest = await pushAndScan(world, collecting, "alice/images");
    const before = [...reports];
    await deleteReports(optionsOf(world, scanner), never);

    expect(before).toEqual([digest]);
    expect([...reports]).toEqual([]);
  });

  test("reads an image again that is pushed while it is forgotten, and begins again after a failure", async (world) => {
    const { scanner } = openScanner();
    const digest = await pushAndScan(world, scanner, "alice/images");
    await deleteAndCollect(world, "alice/images", digest);
    const failing: ImageScanner = { ...scanner, delete: () => Promise.reject(new Error("away")) };
    const pushing: ImageScanner = {
      ...scanner,
      delete: async (digests: readonly Digest[]) => {
        await pushAndScan(world, scanner, "alice/images");
        await scanner.delete(digests);
      },
    };

    await expect(deleteReports(optionsOf(world, failing), never)).rejects.toThrow("away");
    await deleteReports(optionsOf(world, pushing), never);

    const scans = await world.store.db.selectFrom("manifest_scan").select("state").execute();
    expect(scans).toEqual([{ state: "queued" }]);
  });
});
