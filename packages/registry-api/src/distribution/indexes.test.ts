/** Indexes with parts that are no images, and without some of their images; what the collection of garbage leaves of them. */

import { findAccount } from "@plimsoll/registry/access/queries";
import { graceMs } from "@plimsoll/registry/content/lifetimes";
import { collectRepository } from "@plimsoll/registry/lifecycle/collection/collect-repository";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { errorOf } from "../fixtures/each-engine.ts";
import {
  digestOf,
  ociIndexType,
  ociManifestType,
  openTestDistribution,
  type TestDistribution,
} from "../fixtures/test-distribution.ts";

const name = "alice/images";

interface Part {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const blob = (mediaType: string, text: string): Part => ({ mediaType, digest: digestOf(text), size: text.length });
const image = (content: string): Part => ({
  mediaType: ociManifestType,
  digest: digestOf(content),
  size: content.length,
});
const indexOf = (manifests: readonly Part[]) =>
  JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests });

function put({ send }: TestDistribution, tag: string, { body, type = ociIndexType }: { body: string; type?: string }) {
  return send("PUT", `${name}/manifests/${tag}`, { headers: { "content-type": type }, body });
}

/** Collects the garbage of the repository long after the last push. @returns what was removed */
async function collectAll({ store, registry }: TestDistribution): Promise<readonly string[]> {
  registry.time.now += graceMs.manifests + graceMs.links;
  const { id } = await store.db.selectFrom("image_repository").select("id").executeTakeFirstOrThrow();
  const namespaceId = (await findAccount(store.db, "alice"))?.id ?? "";
  const steps = { db: store.db, locked: (take: Parameters<typeof store.transaction>[0]) => store.transaction(take) };
  const removed: string[] = [];
  const repository = { id, namespaceId, windowMs: 1 };
  for await (const { what } of collectRepository(steps as never, repository, registry.time.now)) removed.push(what);
  return removed;
}

/** The cache of an older BuildKit. @see https://github.com/moby/buildkit/blob/v0.11.0/cache/remotecache/export.go */
const layer = blob("application/vnd.oci.image.layer.v1.tar+gzip", "layer");
const config = blob("application/vnd.buildkit.cacheconfig.v0", "{}");
const cache = indexOf([layer, config]);

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "an index on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test("may list blobs, which then are kept as long as it is", async () => {
      await using world = await openTestDistribution({ engine });
      await world.pushBlob(name, "layer");
      const refused = await put(world, "cache", { body: cache });
      await world.pushBlob(name, "{}");
      await world.pushBlob(name, "loose");

      const pushed = await put(world, "cache", { body: cache });
      const removed = await collectAll(world);

      expect(await errorOf(refused)).toBe("400 MANIFEST_BLOB_UNKNOWN");
      expect(pushed.status).toBe(201);
      expect(removed).toEqual([digestOf("loose")]);
      for (const { digest } of [layer, config])
        expect((await world.send("GET", `${name}/blobs/${digest}`)).status).toBe(200);
      await world.send("DELETE", `${name}/manifests/cache`);
      world.registry.time.now += 2;
      expect(new Set(await collectAll(world))).toEqual(
        new Set([digestOf(cache), layer.digest, config.digest, "cache"]),
      );
    });

    test("must be pushed after its images, unless the operator allows it to lack some", async () => {
      await using world = await openTestDistribution({ engine });
      await using sparse = await openTestDistribution({ engine, settings: { sparseIndexes: true } });
      const [here, later] = [
        await sparse.pushImage(name, undefined),
        await world.pushImage("alice/other", "later", { layer: "2" }),
      ];
      await world.pushImage(name, undefined);
      const body = indexOf([image(here.content), image(later.content)]);

      const refused = await put(world, "multi", { body });
      const pushed = await put(sparse, "multi", { body });
      const removed = await collectAll(sparse);
      const missing = await sparse.send("GET", `${name}/manifests/${later.digest}`);
      await sparse.pushImage(name, undefined, { layer: "2" });
      const removedLater = await collectAll(sparse);

      expect([await errorOf(refused), pushed.status]).toEqual(["400 MANIFEST_BLOB_UNKNOWN", 201]);
      expect([removed, removedLater, missing.status]).toEqual([[], [], 404]);
      for (const { digest } of [here, later])
        expect((await sparse.send("GET", `${name}/manifests/${digest}`)).status).toBe(200);
    });

    test.each([
      { compatibility: "contract", deleted: "405 UNSUPPORTED", again: "405 UNSUPPORTED", tagged: 200 },
      { compatibility: "reference", deleted: "202", again: "404 MANIFEST_UNKNOWN", tagged: 404 },
    ] as const)(
      "answers the deletion of its image by digest with $deleted in the profile $compatibility",
      async (row) => {
        await using world = await openTestDistribution({ engine, settings: { compatibility: row.compatibility } });
        const { content, digest } = await world.pushImage(name, "part");
        await put(world, "multi", { body: indexOf([image(content)]) });

        const deleted = await world.send("DELETE", `${name}/manifests/${digest}`);
        const answer = deleted.status === 202 ? "202" : await errorOf(deleted);
        const again = await errorOf(await world.send("DELETE", `${name}/manifests/${digest}`));
        const tagged = await world.send("GET", `${name}/manifests/part`);
        world.registry.time.now += 2;
        await collectAll(world);

        expect([answer, again, tagged.status]).toEqual([row.deleted, row.again, row.tagged]);
        for (const reference of ["multi", digest])
          expect((await world.send("GET", `${name}/manifests/${reference}`)).status).toBe(200);
      },
    );
  },
);
