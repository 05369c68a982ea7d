import type { ImageScanner } from "@plimsoll/registry/ports/scanning";
import { basicScanner } from "@plimsoll/registry/ports/scanning";
import { rescanJob } from "@plimsoll/registry/security/jobs";
import { queueRescans } from "@plimsoll/registry/security/queue-rescans";
import { scanManifestJob } from "@plimsoll/registry/security/scan-manifest-job";
import { countJobs, enqueueJob, runDueJobs, systemTime } from "@plimsoll/store";
import { expect } from "vitest";
import { onEachEngine } from "../fixtures/each-engine.ts";
import type { TestDistribution } from "../fixtures/test-distribution.ts";

const off = { features: { securityScanner: false } };
const name = "alice/images";
const digestAt = (number: number) => `sha256:${String(number).padStart(64, "0")}`;

function scanningOf({ store, registry }: TestDistribution, reads: string[] = []) {
  const { time, settings } = registry;
  const scanner: ImageScanner = {
    ...basicScanner,
    state: async () => "one",
    index: async ({ digest }) => void reads.push(digest),
    find: () => Promise.reject(new Error("not called in this test")),
  };
  return { store, scanner, clock: { now: () => time.now }, settings };
}

/** Runs the recurring job after a while, and what it queues. @returns the digests of what was read */
async function rescan(world: TestDistribution): Promise<readonly string[]> {
  const reads: string[] = [];
  const options = scanningOf(world, reads);
  const { store, clock } = options;
  world.registry.time.now += 600_000;
  await enqueueJob(store.db, rescanJob.of(null, { maxAttempts: 1 }), clock);
  const jobs = [scanManifestJob.withContext(options), rescanJob.withContext(options)];
  await runDueJobs({ store, jobs, clock, random: () => 0, sleep: systemTime.sleep });
  return reads;
}

/** Enters images of the repository that were not scanned and have no job. */
async function enterUnread({ store, registry }: TestDistribution, count: number): Promise<void> {
  const { id: repository_id } = await store.db.selectFrom("image_repository").select("id").executeTakeFirstOrThrow();
  const { now } = registry.time;
  const mediaType = "application/vnd.oci.image.layer.v1.tar";
  const manifest = {
    repository_id,
    media_type: "application/vnd.oci.image.manifest.v1+json",
    artifact_type: null,
    config_media_type: null,
    subject: null,
    content: JSON.stringify({ layers: [{ mediaType, digest: digestAt(0), size: 1 }] }),
    size_bytes: 1,
    layers_size_bytes: 1,
    is_index: 0,
    created_at: now,
    kept_until: now,
    deleted_at: null,
  } as const;
  const scan = { state: "queued", reason: null, attempts: 0, index_state: null, changed_at: now } as const;
  const numbers = Array.from({ length: count }, (_, number) => number);
  await store.db
    .insertInto("image_manifest")
    .values(numbers.map((number) => ({ ...manifest, id: `unread-${number}`, digest: digestAt(number) })))
    .execute();
  await store.db
    .insertInto("manifest_scan")
    .values(numbers.map((number) => ({ ...scan, manifest_id: `unread-${number}` })))
    .execute();
}

async function queueLength({ store }: TestDistribution): Promise<number> {
  const jobs = await countJobs(store.db);
  return jobs.find(({ kind }) => kind === scanManifestJob.kind)?.jobs ?? 0;
}

onEachEngine("queueRescans", (test) => {
  test(
    "has all images scanned that were pushed while there was no scanner, each once",
    async (world) => {
      const images = [
        await world.pushImage(name, "one"),
        await world.pushImage(name, undefined, { layer: "another" }),
        await world.pushImage("alice/other", "one", { layer: "a third" }),
      ];
      await world.pushImage(name, "artifact", { manifest: { layers: [] } });
      const queued = await queueLength(world);

      const reads = await rescan(world);

      expect(queued).toBe(0);
      expect([...reads].sort()).toEqual(images.map(({ digest }) => digest).sort());
      const scans = await world.store.db.selectFrom("manifest_scan").select("state").execute();
      expect(scans.map(({ state }) => state)).toEqual(["scanned", "scanned", "scanned"]);
      expect(await rescan(world)).toEqual([]);
    },
    off,
  );

  test("leaves alone what is in the queue already", async (world) => {
    const { digest } = await world.pushImage(name, "one");
    world.registry.time.now += 1;
    const queue = () => queueRescans(scanningOf(world), new AbortController().signal);

    await Promise.all([queue(), queue()]);

    expect(await queueLength(world)).toBe(1);
    expect(await rescan(world)).toEqual([digest]);
  });

  test("fills the queue up to 500 at a time until every image was read", async (world) => {
    await world.send("POST", `${name}/blobs/uploads/`);
    await enterUnread(world, 520);
    world.registry.time.now += 1;
    const queue = () => queueRescans(scanningOf(world), new AbortController().signal);

    await queue();
    const first = await queueLength(world);
    world.registry.time.now += 1;
    await queue();
    const second = await queueLength(world);
    const reads = [await rescan(world), await rescan(world)].flat();

    expect([first, second]).toEqual([500, 500]);
    expect(new Set(reads).size).toBe(520);
    expect(reads).toHaveLength(520);
  });

  test("deletes the scans of manifests that are not images", async (world) => {
    await world.send("POST", `${name}/blobs/uploads/`);
    await enterUnread(world, 1);
    await world.store.db.updateTable("image_manifest").set({ content: '{"layers":[]}' }).execute();

    expect(await rescan(world)).toEqual([]);

    expect(await world.store.db.selectFrom("manifest_scan").selectAll().execute()).toEqual([]);
  });

  test(
    "stops when its signal is aborted",
    async (world) => {
      await world.pushImage(name, "one");
      world.registry.time.now += 1;

      await expect(queueRescans(scanningOf(world), AbortSignal.abort())).rejects.toThrow("aborted");

      expect(await queueLength(world)).toBe(0);
    },
    off,
  );
});
