import { type AccountRow, findAccount } from "@plimsoll/registry/access/queries";
import { graceMs } from "@plimsoll/registry/content/lifetimes";
import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import { findNamespaceUsage, freeMetadataBytes } from "@plimsoll/registry/organizations/quotas/queries/usage";
import { expect } from "vitest";
import { onEachEngine } from "../fixtures/each-engine.ts";
import { recountUsage } from "../fixtures/recount-usage.ts";
import { ociManifestType, type TestDistribution } from "../fixtures/test-distribution.ts";

const name = "alice/images";
const quotaBytes = 5 * 1024;
const largeBytes = 200_000;

/** A quota of 5 KiB for alice, and a way to push manifests that are nearly nothing but an annotation. */
async function limited(world: TestDistribution) {
  const { registry, store, send, blobs } = world;
  const alice = (await findAccount(store.db, "alice")) as AccountRow;
  const { content } = await world.pushImage(name, "first");
  const quota = { namespace_id: alice.id, limit_bytes: quotaBytes };
  const { id: quota_id } = await store.db.insertInto("quota").values(quota).returning("id").executeTakeFirstOrThrow();
  await store.db.insertInto("quota_limit").values({ quota_id, type: "Reject", threshold_percent: 100 }).execute();
  const call = await registry.session(alice);
  return {
    ...{ call, alice },
    push: async (tag: string, bytes = largeBytes) => {
      const body = JSON.stringify({ ...JSON.parse(content), annotations: { [tag]: "x".repeat(bytes) } });
      return send("PUT", `${name}/manifests/${tag}`, { headers: { "content-type": ociManifestType }, body });
    },
    usage: () => findNamespaceUsage(store.db, alice.id),
    collectLater: async () => {
      registry.time.now += Math.max(graceMs.manifests, graceMs.links) + 15 * 86_400_000;
      for await (const _ of collectGarbage({ store, blobs, now: registry.time.now, since: 0 }));
    },
    isCounted: async () => {
      const { kept, counted } = await recountUsage(store.db);
      expect(kept).toEqual(counted);
    },
  };
}

onEachEngine("the quota for manifests", (test) => {
  test("refuses 40 large manifests at once, and says why", async (world) => {
    const { push, usage, isCounted } = await limited(world);

    const answers = await Promise.all(Array.from({ length: 40 }, (_, number) => push(`large-${number}`)));

    const statuses = answers.map(({ status }) => status);
    const { metadataBytes } = await usage();
    expect(metadataBytes).toBeLessThan(freeMetadataBytes + quotaBytes);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(freeMetadataBytes / largeBytes);
    const refused = answers.find(({ status }) => status !== 201);
    expect(await refused?.json()).toMatchObject({
      errors: [
        {
          code: "DENIED",
          message: expect.stringMatching(
            /^Quota has been exceeded on namespace: it uses \d+ bytes of less than \d+ that are allowed, and this would add \d+ bytes/,
          ),
        },
      ],
    });
    await isCounted();
  });

  test("lets many ordinary manifests pass, and the same manifest any number of times", async (world) => {
    const { push, usage, isCounted } = await limited(world);

    for (let number = 0; number < 30; number++) expect((await push(`small-${number}`, 2000)).status).toBe(201);
    const { metadataBytes } = await usage();
    for (let time = 0; time < 3; time++) expect((await push("small-1", 2000)).status).toBe(201);

    expect((await usage()).metadataBytes).toBe(metadataBytes);
    await isCounted();
  });

  test("gets the bytes back when deleted manifests and expired tags are collected, and not before", async (world) => {
    const { push, usage, isCounted, collectLater } = await limited(world);
    let number = 0;
    while ((await push(`large-${number}`)).status === 201) number += 1;
    const full = (await usage()).metadataBytes;
    for (let each = 0; each < number; each++) await world.send("DELETE", `${name}/manifests/large-${each}`);

    expect((await usage()).metadataBytes).toBe(full);
    expect((await push("again")).status).toBe(403);
    await collectLater();

    expect((await usage()).metadataBytes).toBeLessThan(2000);
    expect((await push("again")).status).toBe(201);
    await isCounted();
  });

  test("counts labels of images and of the API, until they are deleted", async (world) => {
    const { call, usage, isCounted } = await limited(world);
    const { digest } = await world.pushImage(name, "labelled", { labels: { ours: "x".repeat(1000) }, layer: "other" });
    const path = `/repository/${name}/manifest/${digest}/labels`;
    const before = (await usage()).metadataBytes;
    const value = "ä".repeat(30_000);

    const answers = [];
    for (let number = 0; number < 20; number++)
      answers.push(await call("POST", path, { key: "note", value, media_type: null }));

    const added = answers.filter(({ status }) => status === 201);
    expect((await usage()).metadataBytes).toBe(before + added.length * (60_000 + "note".length));
    expect(added.length).toBeLessThan(20);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("Quota has been exceeded") },
    });
    await isCounted();
    for (const { body } of added) expect((await call("DELETE", `${path}/${body.label.id}`)).status).toBe(204);
    expect((await usage()).metadataBytes).toBe(before);
    await isCounted();
  });

  test("is shown beside the bytes of blobs", async (world) => {
    const { call, usage } = await limited(world);
    const { blobBytes, metadataBytes } = await usage();

    const { body } = await call("GET", "/user/");

    expect(body.quota_report).toMatchObject({ quota_bytes: blobBytes, metadata_bytes: metadataBytes });
  });
});
