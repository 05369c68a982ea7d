import { mkdtemp, readdir, rm, truncate, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Digest } from "@plimsoll/core/digest";
import { findImageRepository } from "@plimsoll/registry/access/queries";
import { holdBlobs } from "@plimsoll/registry/content/held-blobs";
import { copyBlobs, verifyBlobs } from "@plimsoll/registry/content/storage/copy-blobs";
import type { BlobProblem } from "@plimsoll/registry/content/storage/linked-blobs";
import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import { deleteRepository } from "@plimsoll/registry/lifecycle/collection/deletions";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestDistribution, type TestDistribution } from "../../fixtures/test-distribution.ts";

const name = "alice/images";

async function listOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const said = (problems: readonly BlobProblem[]) =>
  problems.map(({ digest, problem, repositories }) => `${digest} ${problem}: ${repositories}`);

function fileOf({ folder }: Pick<TestDistribution, "folder">, digest: string): string {
  const hex = digest.slice("sha256:".length);
  return join(folder, "blobs", "sha256", hex.slice(0, 2), hex);
}

async function deleteImages({ store, registry }: TestDistribution): Promise<void> {
  await store.transaction(async (db) => {
    const repository = await findImageRepository(db, "alice", "images");
    if (repository) await deleteRepository(db, repository, { now: () => registry.time.now });
  });
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "what a registry stores, on $title",
  ({ engine }) => {
    const test = (title: string, run: (world: TestDistribution, target: string) => Promise<void>) =>
      it.skipIf(engine.skip !== undefined)(title, async () => {
        await using world = await openTestDistribution({ engine });
        const target = await mkdtemp(join(tmpdir(), "plimsoll-copy-"));
        try {
          await run(world, target);
        } finally {
          await rm(target, { recursive: true, force: true });
        }
      });

    test("is whole after a push", async (world) => {
      await world.pushImage(name, "1");
      const verified = { blobs: 0, bytes: 0 };

      expect(await listOf(verifyBlobs({ db: world.store.db, blobs: world.blobs, verified }))).toEqual([]);

      expect(verified.blobs).toBe(2);
    });

    test("is reported if it is missing, cut off, or changed", async (world) => {
      const { config, layer } = await world.pushImage(name, "1");
      const { layer: changed } = await world.pushImage(name, "2", { layer: "another layer" });
      await unlink(fileOf(world, config));
      await truncate(fileOf(world, layer), 1);
      await rm(fileOf(world, changed));
      await writeFile(fileOf(world, changed), "ANOTHER LAYER");
      const verify = async ({ quick }: { readonly quick: boolean }) =>
        said(await listOf(verifyBlobs({ db: world.store.db, blobs: world.blobs, quick }))).toSorted();

      const sizes = [`${config} it is missing: ${name}`, expect.stringMatching(`${layer} it has 1 bytes instead of`)];
      expect(await verify({ quick: true })).toEqual(expect.arrayContaining(sizes));
      expect(await verify({ quick: true })).toHaveLength(2);
      expect(await verify({ quick: false })).toContain(`${changed} its bytes have another digest: ${name}`);
    });

    test("is copied, and the second time only what came since", async (world, target) => {
      await world.pushImage(name, "1");
      const to = createFileBlobStore(target, { sync: async () => {} });
      const { db } = world.store;

      await listOf(copyBlobs({ db, from: world.blobs, to }));
      const { layer } = await world.pushImage(name, "2", { layer: "another layer" });
      const copied = { blobs: 0, bytes: 0, present: 0 };
      expect(await listOf(copyBlobs({ db, from: world.blobs, to, copied }))).toEqual([]);

      expect(copied.present).toBe(2);
      expect(await to.find(layer as Digest)).toBe("another layer".length);
      expect(await listOf(verifyBlobs({ db, blobs: to }))).toEqual([]);
      expect(await readdir(join(target, "uploads"))).toEqual([]);
    });

    test("is copied again where the copy has another size", async (world, target) => {
      const { layer } = await world.pushImage(name, "1");
      const to = createFileBlobStore(target, { sync: async () => {} });
      const { db } = world.store;
      await listOf(copyBlobs({ db, from: world.blobs, to }));
      const copy = fileOf({ folder: target }, layer);
      await rm(copy);
      await writeFile(copy, "x".repeat(200));

      const copied = { blobs: 0, bytes: 0, present: 0 };
      expect(await listOf(copyBlobs({ db, from: world.blobs, to, copied }))).toEqual([]);

      expect(copied).toMatchObject({ blobs: 1, present: 1 });
      expect(await listOf(verifyBlobs({ db, blobs: to }))).toEqual([]);
    });

    test("is not copied where it is damaged, and that is said in the words of a verification", async (world, target) => {
      const { config, layer: long } = await world.pushImage(name, "1");
      const { layer: short } = await world.pushImage(name, "2", { layer: "another layer" });
      const { layer: other } = await world.pushImage(name, "3", { layer: "yet another layer" });
      await unlink(fileOf(world, config));
      for (const [blob, content] of [
        [long, "x".repeat(200)],
        [short, "another"],
        [other, "YET another layer"],
      ] as const) {
        await rm(fileOf(world, blob));
        await writeFile(fileOf(world, blob), content);
      }
      const to = createFileBlobStore(target, { sync: async () => {} });
      const { db } = world.store;

      const problems = said(await listOf(copyBlobs({ db, from: world.blobs, to })));

      expect(problems).toHaveLength(4);
      expect(problems).toContain(`${short} it has 7 bytes instead of 13: ${name}`);
      expect(problems.toSorted()).toEqual(said(await listOf(verifyBlobs({ db, blobs: world.blobs }))).toSorted());
      expect(await to.find(long as Digest)).toBeUndefined();
    });

    test("stays while a repository has it, whatever is deleted", async (world) => {
      const { layer } = await world.pushImage(name, "1");
      const now = () => world.registry.time.now;
      const collect = () => listOf(collectGarbage({ store: world.store, blobs: world.blobs, now: now(), since: 0 }));
      await holdBlobs(world.store.db, now() + 600_000);
      await deleteImages(world);

      expect((await collect()).filter(({ kind }) => kind === "blob")).toEqual([]);
      expect(await world.blobs.find(layer as Digest)).toBeDefined();

      world.registry.time.now += 600_001;
      expect((await collect()).map(({ what }) => what)).toContain(layer);
      expect(await world.blobs.find(layer as Digest)).toBeUndefined();
    });
  },
);
