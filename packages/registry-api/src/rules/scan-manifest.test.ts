import { type Digest, ScanError } from "@plimsoll/core";
import { listJobs, runDueJobs } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { scanQueuedManifest } from "../jobs/scan-manifest.ts";
import type { ImageScanner, ScannableImage } from "../ports.ts";
import { queueScan, scanManifestJob } from "./scan-manifest.ts";

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
  await queueScan(store.db, manifest, { clock, headStartMs: 10_000 });
  await queueScan(store.db, manifest, { clock, headStartMs: 10_000 });
  return registry;
}

function runJobs({ store, time }: TestRegistry, index: ImageScanner["index"]): Promise<number> {
  const clock = { now: () => time.now };
  time.now += 3_600_000;
  const scanner = { index, find: () => Promise.reject(new Error("nobody asks")) };
  const handlers = { [scanManifestJob]: scanQueuedManifest({ store, scanner, clock }) };
  return runDueJobs({ store, handlers, clock, random: () => 0, sleep: async () => {} });
}

const scanOf = ({ store }: TestRegistry) =>
  store.db.selectFrom("manifest_scan").select(["state", "reason", "attempts"]).executeTakeFirst();

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

  it("tries again what may pass", async () => {
    await using registry = await openQueued();

    await runJobs(registry, () => Promise.reject(new ScanError("source_unreachable", "busy")));
    expect(await scanOf(registry)).toMatchObject({ state: "queued" });
    await runJobs(registry, async () => {});

    expect(await scanOf(registry)).toMatchObject({ state: "scanned" });
  });

  it("queues nothing for what is no image", async () => {
    await using registry = await openQueued([{ ...layer, mediaType: "application/vnd.example" }]);

    expect(await scanOf(registry)).toBeUndefined();
    expect(await listJobs(registry.store.db)).toEqual([]);
  });
});
