import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import { basicScanner, type ImageScanner } from "@plimsoll/registry/ports/scanning";
import { deleteReportsJob, noteLoggedImages, queueRescans, rescanJob } from "@plimsoll/registry/security/jobs";
import { scanManifestJob } from "@plimsoll/registry/security/scan-queue";
import { countJobs, enqueueJob, runDueJobs, systemTime } from "@plimsoll/store";
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

const off = { features: { securityScanner: false } };
const name = "alice/images";
const digestAt = (number: number) => `sha256:${String(number).padStart(64, "0")}`;

function scanningOf({ store, blobs, registry }: TestDistribution, reads: string[] = []) {
  const { time, settings, pageAddress } = registry;
  const scanner: ImageScanner = {
    ...basicScanner,
    state: async () => "one",
    index: async ({ digest }) => void reads.push(digest),
    find: () => Promise.reject(new Error("not called in this test")),
  };
  return { store, scanner, blobs, clock: { now: () => time.now }, settings, pageAddress };
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
