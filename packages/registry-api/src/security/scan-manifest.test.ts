import { ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { findAccount, findImageRepository } from "@plimsoll/registry/access/queries";
import { basicScanner, type ImageScanner, type ScannableImage } from "@plimsoll/registry/ports/scanning";
import { rescanJob } from "@plimsoll/registry/security/jobs";
import type { ScanOptions } from "@plimsoll/registry/security/scan-manifest";
import { newScan, putScan, scanManifestJob } from "@plimsoll/registry/security/scan-queue";
import { enqueueJob, listJobs, newJobs, runDueJobs, systemTime } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { emptyBlobs, openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";
import { putTag } from "../fixtures/test-repositories.ts";

const layer = {
  mediaType: "application/vnd.oci.image.layer.v1.tar+gzip",
  digest: `sha256:${"a".repeat(64)}`,
  size: 1,
};
const foreign = {
  ...layer,
  mediaType: "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip",
  digest: `sha256:${"b".repeat(64)}`,
};

/** A manifest that was just pushed, with its scan in the queue. */
async function openQueued(layers: readonly object[] = [layer, foreign]) {
  const registry = await openTestRegistry();
  const { store, time } = registry;
  const alice = await registry.user("alice");
  const call = await registry.session(alice);
  await call("POST", "/repository", { repository: "app", visibility: "private", description: "" });
  const repository = await store.db.selectFrom("image_repository").select("id").executeTakeFirstOrThrow();
  const manifest = { id: "m1", is_index: 0, content: JSON.stringify({ layers }) } as const;
  await store.db
    .insertInto("image_manifest")
    .values({
      ...manifest,
      repository_id: repository.id,
      digest: `sha256:${"c".repeat(64)}`,
      media_type: "application/vnd.oci.image.manifest.v1+json",
      artifact_type: null,
      config_media_type: null,
      subject: null,
      size_bytes: 1,
      layers_size_bytes: 1,
      created_at: time.now,
      kept_until: time.now,
      deleted_at: null,
    })
    .execute();
  const clock = { now: () => time.now };
  const scan = newScan({ ...manifest, namespaceId: alice.id }, { clock, headStartMs: 10_000 });
  if (scan === undefined) return registry;
  const entered = [await putScan(store.db, scan), await putScan(store.db, scan)];
  expect(entered).toEqual([true, false]);
  await newJobs(store.db, [scan.job, scan.job], clock)?.execute();
  return registry;
}

const notCalled: ImageScanner["find"] = () => Promise.reject(new Error("not called in this test"));

function runJobs(
  { store, time, settings, pageAddress }: TestRegistry,
  index: ImageScanner["index"],
  {
    find = notCalled,
    state = "one",
    damage,
  }: { readonly find?: ImageScanner["find"]; readonly state?: string; readonly damage?: ScanOptions["damage"] } = {},
): Promise<number> {
  const clock = { now: () => time.now };
  time.now += 3_600_000;
  const scanner = { ...basicScanner, index, find, state: async () => state };
  const options = { store, scanner, blobs: emptyBlobs, clock, settings, pageAddress, damage };
  const jobs = [scanManifestJob.withContext(options), rescanJob.withContext(options)];
  return runDueJobs({ store, jobs, clock, random: () => 0, sleep: systemTime.sleep });
}

const hour = 3_600_000;

/** Looks which images are to be read again, and reads them. @returns how many */
async function rescan(registry: TestRegistry, state: string, find = notCalled): Promise<number> {
  const { store, time } = registry;
  await enqueueJob(store.db, rescanJob.of(null, { maxAttempts: 1 }), { now: () => time.now });
  let reads = 0;
  await runJobs(registry, async () => void reads++, { state, find });
  return reads;
}

const scanOf = ({ store }: TestRegistry) =>
  store.db.selectFrom("manifest_scan").select(["state", "reason", "attempts"]).executeTakeFirst();

const repositoryNotifications = "/repository/alice/app/notification/";
const namespaceNotifications = "/user/namespacenotifications";

describe("scanManifest", () => {
  it("has the layers read that the registry has, once", async () => {
    await using registry = await openQueued();
    const asked: ScannableImage[] = [];

    const ran = await runJobs(registry, async (image) => void asked.push(image));
    const again = await runJobs(registry, async (image) => void asked.push(image));

    expect([ran, again]).toEqual([1, 0]);
    const { mediaType, digest } = layer;
    expect(asked).toEqual([{ digest: `sha256:${"c".repeat(64)}`, layers: [{ mediaType, digest: digest as Digest }] }]);
    expect(await scanOf(registry)).toEqual({ state: "scanned", reason: null, attempts: 1 });
  });

  it.each([
    { code: "layer_corrupt", state: "failed" },
    { code: "layer_too_large", state: "manifest_layer_too_large" },
  ] as const)("remembers $code as $state and tries no more", async ({ code, state }) => {
    await using registry = await openQueued();

    await runJobs(registry, () => Promise.reject(new ScanError(code, "it is so")));

    expect(await scanOf(registry)).toEqual({ state, reason: "it is so", attempts: 1 });
    expect(await listJobs(registry.store.db)).toEqual([]);
  });

  it.each([
    { what: "damaged", fault: {}, state: "queued" },
    { what: "as it was pushed", fault: undefined, state: "failed" },
  ])("ends as $state if a layer does not have its digest, and is $what in the blob store", async ({ fault, state }) => {
    await using registry = await openQueued();
    const inspected: string[] = [];
    const damage = {
      inspect: async (digest: Digest) => {
        inspected.push(digest);
        return fault;
      },
    };

    await runJobs(registry, () => Promise.reject(new ScanError("digest_mismatch", "another blob")), { damage });

    expect(await scanOf(registry)).toMatchObject({ state });
    expect(inspected).toEqual([layer.digest]);
  });

  it("tries again after temporary failures", async () => {
    await using registry = await openQueued();

    await runJobs(registry, () => Promise.reject(new ScanError("source_unreachable", "busy")));
    expect(await scanOf(registry)).toMatchObject({ state: "queued" });
    await runJobs(registry, async () => {});

    expect(await scanOf(registry)).toMatchObject({ state: "scanned" });
  });

  it("gives up after permanent failures, with the reason", async () => {
    await using registry = await openQueued();
    const unreachable = () => Promise.reject(new ScanError("source_unreachable", "no host answers"));

    for (let attempt = 1; attempt <= 5; attempt++) await runJobs(registry, unreachable);
    const before = await scanOf(registry);
    await runJobs(registry, unreachable);

    expect(before).toMatchObject({ state: "queued" });
    expect(await scanOf(registry)).toEqual({ state: "failed", reason: "no host answers", attempts: 1 });
    const { namespace_id: tenant } = await registry.store.db
      .selectFrom("image_repository")
      .select("namespace_id")
      .executeTakeFirstOrThrow();
    expect(await listJobs(registry.store.db)).toMatchObject([{ state: "dead", lastError: "no host answers", tenant }]);
  });

  it.each([
    { what: "of an image with tags each that is severe, once", of: repositoryNotifications, tag: "v1", events: 1 },
    { what: "the same for the namespace of the repository", of: namespaceNotifications, tag: "v1", events: 1 },
    { what: "nothing of an image that has no tag", of: repositoryNotifications, tag: undefined, events: 0 },
    { what: "nothing of it for the namespace", of: namespaceNotifications, tag: undefined, events: 0 },
    { what: "nothing for another namespace", of: "/organization/other/notifications", tag: "v1", events: 0 },
  ])("tells those who want to know of vulnerabilities $what", async ({ of, tag, events }) => {
    await using registry = await openQueued();
    const { db } = registry.store;
    const [repository, alice] = [await findImageRepository(db, "alice", "app"), await findAccount(db, "alice")];
    if (repository === undefined || alice === undefined) throw new Error("there is no alice/app");
    const manifest = { id: "m1", digest: `sha256:${"c".repeat(64)}` };
    if (tag !== undefined) await putTag(registry, repository, { name: tag, manifest });
    const call = await registry.session(alice);
    const notification = {
      event: "vulnerability_found",
      method: "webhook",
      config: { url: "https://hooks.example/x" },
    };
    await registry.organization("other", { admin: [alice] });
    expect((await call("POST", of, { ...notification, eventConfig: { level: "1" } })).status).toBe(201);
    const found = { status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage } as const;

    await runJobs(registry, async () => {}, { find: async () => found });
    registry.time.now += 24 * hour;
    expect(await rescan(registry, "two", async () => found)).toBe(1);

    const jobs = await listJobs(db, { kind: "registry.deliver-notification" });
    expect(jobs).toHaveLength(events);
    for (const { payload } of jobs) {
      expect((payload as { event: object }).event).toEqual({
        repository: "alice/app",
        namespace: "alice",
        name: "app",
        docker_url: "localhost/alice/app",
        homepage: "http://localhost/repository/alice/app",
        tags: ["v1"],
        vulnerability: {
          id: "GHSA-c2qf-rxjj-qqgw",
          description: "",
          link: "",
          priority: "High",
          has_fix: false,
        },
        vulnerable_index_report_created: "true",
      });
    }
    expect(await scanOf(registry)).toMatchObject({ state: "scanned" });
  });

  it("queues nothing for what is no image", async () => {
    await using registry = await openQueued([{ ...layer, mediaType: "application/vnd.example" }]);

    expect(await scanOf(registry)).toBeUndefined();
    expect(await listJobs(registry.store.db)).toEqual([]);
  });
});

describe("queueRescans", () => {
  it.each([
    { what: "the scanner is another", state: "two", afterMs: 24 * hour, reads: 1 },
    { what: "the scanner is another since a moment", state: "two", afterMs: 21 * hour, reads: 0 },
    { what: "the scanner is the same", state: "one", afterMs: 24 * hour, reads: 0 },
  ])("reads an image again where $what: $reads", async ({ state, afterMs, reads }) => {
    await using registry = await openQueued();
    await runJobs(registry, async () => {});
    registry.time.now += afterMs;

    const found = await rescan(registry, state);

    expect(found).toBe(reads);
    expect(await scanOf(registry)).toMatchObject({ state: "scanned", attempts: 1 + reads });
    expect(await rescan(registry, state)).toBe(0);
  });

  it("tries again what could not be read, and finds what the queue has lost", async () => {
    await using registry = await openQueued();
    const { db } = registry.store;
    for (let attempt = 0; attempt < 6; attempt++) {
      await runJobs(registry, () => Promise.reject(new ScanError("source_unreachable", "no host answers")));
    }
    registry.time.now += 24 * hour;

    const again = await rescan(registry, "one");
    await db.updateTable("manifest_scan").set({ state: "queued" }).execute();
    registry.time.now += 6 * hour;
    const found = await rescan(registry, "one");

    expect([again, found]).toEqual([1, 1]);
  });
});
