import { once } from "node:events";
import { engineTitle, forkProgram, openTestStore, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { nodeReaders } from "./adapters/platform/node-readers.ts";
import { betweenParts } from "./fixtures/between-parts.ts";
import { renamedEngine } from "./fixtures/renamed-engine.ts";
import {
  debianLayer,
  longLayer,
  MemoryLayers,
  manifestOf,
  serviceNow,
  serviceOptions,
} from "./fixtures/service-parts.ts";
import { assembleIndexService } from "./index-service.ts";
import type { IndexServiceOptions } from "./index-service-options.ts";
import { indexerMigrations } from "./store/migrations/all.ts";
import type { IndexerTables } from "./store/tables.ts";

const layer = await debianLayer({ zlib1g: "1.2" });
const other = await debianLayer({ expat: "2.5" });
/** More than one transaction takes. */
const manifests = Array.from({ length: 50 }, (_, index) =>
  manifestOf(index % 2 ? [layer] : [layer, other], `${index}`),
);
const long = await longLayer();
const layers = new MemoryLayers([layer, other, long]);
const minute = 60_000;

/** A database with images that the usual engine has indexed. */
async function startWithImages(engine: TestEngine, images = manifests) {
  const resources = new AsyncDisposableStack();
  const database = resources.use(await engine.create());
  const store = resources.use(
    await openTestStore<IndexerTables>(database.location, { migrations: [indexerMigrations] }),
  );
  const open = (more: Partial<IndexServiceOptions> = {}) =>
    resources.use(assembleIndexService({ ...serviceOptions(store, layers.fetch), ...more }));
  const usual = open();
  for (const manifest of images) await usual.submit(manifest);
  await usual.refreshKeys();
  const keys = async () => {
    const rows = await store.db
      .selectFrom("indexer_record_key")
      .innerJoin("indexer_manifest_record as of", "of.record_id", "indexer_record_key.record_id")
      .select(({ fn }) => ["package_name", fn.countAll<number>().as("images")])
      .groupBy("package_name")
      .orderBy("package_name")
      .execute();
    return Object.fromEntries(rows.map(({ package_name, images }) => [package_name, Number(images)]));
  };
  return {
    location: database.location,
    store,
    usual,
    open,
    keys,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A node whose matchers name packages in another way. */
const renamed = { engine: renamedEngine, readers: nodeReaders(renamedEngine) };

const usualKeys = { expat: 25, zlib1g: 25 };
const newKeys = { "new-expat": 25, "new-zlib1g": 25 };
const atLater = { clock: { now: () => serviceNow + minute } };

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "IndexService.refreshKeys on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test("leaves keys alone that are of the same matchers", async () => {
      await using at = await startWithImages(engine);

      expect(await at.usual.refreshKeys()).toBe(0);
      expect(await at.keys()).toEqual(usualKeys);
    });

    test("rebuilds the keys of other matchers, once, without indexing anything again", async () => {
      await using at = await startWithImages(engine);
      const fetched = layers.fetched.length;
      const renewed = at.open({ ...renamed, ...atLater });

      expect(renewed.state()).toBe(at.usual.state());
      expect(await renewed.refreshKeys()).toBe(manifests.length);
      expect(await renewed.refreshKeys()).toBe(0);
      expect(await at.keys()).toEqual(newKeys);
      expect(layers.fetched).toHaveLength(fetched);
      expect(await renewed.relatedKeys([{ ecosystem: "debian:12", name: "new-expat" }])).toHaveLength(1);
    });

    test("keeps out of it at nodes that started before, and does it again where an old one starts again", async () => {
      await using at = await startWithImages(engine);
      await at.open({ ...renamed, ...atLater }).refreshKeys();

      expect(await at.usual.refreshKeys()).toBe(0);
      expect(await at.keys()).toEqual(newKeys);

      const again = at.open({ clock: { now: () => atLater.clock.now() + minute } });
      expect(await again.refreshKeys()).toBe(manifests.length);
      expect(await at.keys()).toEqual(usualKeys);
    });

    test("takes an image that is indexed meanwhile as it is", async () => {
      await using at = await startWithImages(engine);
      const renewed = at.open({ ...renamed, ...atLater });
      await renewed.submit(manifestOf([other], "meanwhile"));

      expect(await at.keys()).toEqual({ ...usualKeys, expat: undefined, "new-expat": 26 });
      expect(await renewed.refreshKeys()).toBe(manifests.length);
      expect(await at.keys()).toEqual({ ...newKeys, "new-expat": 26 });
    });

    test("rebuilds the keys of a long report in parts, and nothing is left of the old ones", async () => {
      await using at = await startWithImages(engine, []);
      const large = manifestOf([long]);
      await at.usual.submit(large);
      let written = 0;
      const store = betweenParts(at.store, 1, async () => {
        written = (await at.store.db.selectFrom("indexer_leftover").selectAll().execute()).length;
      });
      const renewed = at.open({ ...renamed, ...atLater, store });

      expect(await renewed.refreshKeys()).toBe(1);

      expect(written).toBe(1);
      const keys = Object.entries(await at.keys());
      expect(keys).toHaveLength(4_000);
      expect(keys.every(([name, images]) => name.startsWith("new-long-") && images === 1)).toBe(true);
      expect(Object.keys((await renewed.findReport(large.digest))?.packages ?? {})).toHaveLength(4_000);
      expect(await renewed.delete(large.digest)).toBe(true);
      for (const table of ["indexer_leftover", "indexer_record", "indexer_piece", "indexer_layer"] as const) {
        expect(await at.store.db.selectFrom(table).selectAll().execute()).toEqual([]);
      }
    });

    test("stops when told to, and goes on later", async () => {
      await using at = await startWithImages(engine);
      const renewed = at.open({ ...renamed, ...atLater });

      expect(await renewed.refreshKeys({ signal: AbortSignal.abort() })).toBe(0);
      expect(await renewed.refreshKeys()).toBe(manifests.length);
    });

    if (engine.shared) {
      it.skipIf(engine.skip !== undefined)(
        "goes on at another node where one was killed",
        async () => {
          await using at = await startWithImages(engine);
          const child = forkProgram(new URL("./fixtures/killed-refresh.ts", import.meta.url), [at.location, "1"]);
          await once(child, "message");
          child.kill("SIGKILL");
          await once(child, "exit");
          const renewed = at.open({ ...renamed, ...atLater });

          // PostgreSQL frees a dead process's lock soon, SQLite when the lease has run out.
          await expect.poll(() => renewed.refreshKeys()).toBe(manifests.length - 20);

          expect(await at.keys()).toEqual(newKeys);
        },
        30_000,
      );
    }
  },
);
