import { createEngine, type Digest, dpkg, linux, type Manifest, ScanError } from "@plimsoll/core";
import { buildLayer, engineTitle, openTestStore, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { nodeReaders } from "./adapters/platform/node-readers.ts";
import {
  debianLayer,
  longLayer,
  MemoryLayers,
  manifestOf,
  quickSleep,
  serviceOptions,
} from "./fixtures/service-parts.ts";
import { assembleIndexService } from "./index-service.ts";
import type { IndexServiceOptions } from "./index-service-options.ts";
import { indexerMigrations } from "./store/migrations/all.ts";
import { beginRun } from "./store/runs.ts";
import type { IndexerStore, IndexerTables } from "./store/tables.ts";

const open = (location: string) => openTestStore<IndexerTables>(location, { migrations: [indexerMigrations] });
const base = await debianLayer({ zlib1g: "1.2", libc6: "2.36" });
const top = await buildLayer({ "usr/bin/app": "app" });
const other = await debianLayer({ openssl: "3.0" });

const tables = [
  "indexer_manifest",
  "indexer_run",
  "indexer_layer",
  "indexer_manifest_layer",
  "indexer_record",
  "indexer_record_key",
  "indexer_manifest_record",
  "indexer_piece",
  "indexer_leftover",
] as const;

async function countRows(store: IndexerStore): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table] = (await store.db.selectFrom(table).selectAll().execute()).length;
  return counts;
}

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => "no problem",
    (error: unknown) => (error instanceof ScanError ? error.code : String(error)),
  );

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "assembleIndexService on $title",
  ({ engine }) => {
    const skipped = engine.skip !== undefined;

    async function start(layers = new MemoryLayers([base, top, other]), more: Partial<IndexServiceOptions> = {}) {
      const database = await engine.create();
      const store = await open(database.location);
      const service = assembleIndexService({ ...serviceOptions(store, layers.fetch), ...more });
      return {
        database,
        store,
        service,
        layers,
        [Symbol.asyncDispose]: async () => {
          await service[Symbol.asyncDispose]();
          await store[Symbol.asyncDispose]();
          await database[Symbol.asyncDispose]();
        },
      };
    }

    it.skipIf(skipped)("reads a stored report that says nothing of unassessed packages", async () => {
      await using at = await start();
      const { db } = at.store;
      const manifest = manifestOf([base, top], "1");
      const submitted = await at.service.submit(manifest);
      const { coverage, ...rest } = submitted;
      const { unassessed: _, ...older } = coverage;
      const stored = JSON.stringify({ ...rest, coverage: older });
      await db.updateTable("indexer_manifest").set({ report: stored }).execute();

      const found = await at.service.findReport(manifest.digest);

      expect(older).toHaveProperty("databases");
      expect(found).toEqual(submitted);
      expect(found?.coverage.unassessed).toEqual([]);
    });

    it.skipIf(skipped)("stores what is long in pieces, and deletes them all", async () => {
      const long = await longLayer();
      await using at = await start(new MemoryLayers([long]));
      const manifest = manifestOf([long], "1");

      const submitted = await at.service.submit(manifest);
      const { indexer_piece: pieces } = await countRows(at.store);
      const found = await at.service.findReport(manifest.digest);

      expect(Object.keys(submitted.packages)).toHaveLength(4_000);
      expect(found).toEqual(submitted);
      expect(pieces).toBeGreaterThan(2);
      await at.service.delete(manifest.digest);
      expect(await countRows(at.store)).toMatchObject({ indexer_piece: 0, indexer_layer: 0, indexer_record_key: 0 });
    });

    it.skipIf(skipped)("takes no report of other layers for an image's, whichever client named them so", async () => {
      await using at = await start();
      const nothing = await at.service.submit(manifestOf([top], "1"));

      const report = await at.service.submit(manifestOf([base], "1"));

      expect(nothing.packages).toEqual({});
      expect(Object.values(report.packages).map(({ name }) => name)).toContain("zlib1g");
    });

    it.skipIf(skipped)("indexes an image and gives the same report again without reading a layer", async () => {
      await using at = await start();
      const manifest = manifestOf([base, top]);

      const report = await at.service.submit(manifest);

      expect([report.state, report.success, report.manifestDigest]).toEqual(["IndexFinished", true, manifest.digest]);
      expect(Object.values(report.packages).map(({ name }) => name)).toEqual(["libc6", "zlib1g"]);
      expect(await at.service.submit(manifest)).toEqual(report);
      expect(await at.service.findReport(manifest.digest)).toEqual(report);
      expect(at.layers.fetched).toHaveLength(2);
      expect(await countRows(at.store)).toMatchObject({ indexer_manifest: 1, indexer_run: 0, indexer_record: 2 });
    });

    it.skipIf(skipped)("finishes an image without layers", async () => {
      await using at = await start();

      const report = await at.service.submit(manifestOf([]));

      expect([report.success, report.packages]).toEqual([true, {}]);
    });

    it.skipIf(skipped)("knows nothing of an image that was never submitted", async () => {
      await using at = await start();

      expect(await at.service.findReport(manifestOf([]).digest)).toBeUndefined();
      expect(await at.service.delete(manifestOf([]).digest)).toBe(false);
    });

    it.skipIf(skipped)("runs once for many who submit the same image", async () => {
      await using at = await start();
      const manifest = manifestOf([base, top]);

      const reports = await Promise.all(Array.from({ length: 20 }, () => at.service.submit(manifest)));

      expect(new Set(reports.map((report) => JSON.stringify(report))).size).toBe(1);
      expect(at.layers.fetched.toSorted()).toEqual([base.digest, top.digest].toSorted());
    });

    if (engine.shared) {
      it.skipIf(skipped)("runs once when several nodes are asked at once", async () => {
        await using at = await start();
        await using store = await open(at.database.location);
        await using second = assembleIndexService(serviceOptions(store, at.layers.fetch));
        const manifest = manifestOf([base, top]);

        const asked = Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? at.service : second).submit(manifest),
        );
        const reports = await Promise.all(asked);

        expect(new Set(reports.map((report) => JSON.stringify(report))).size).toBe(1);
        expect(at.layers.fetched.toSorted()).toEqual([base.digest, top.digest].toSorted());
      });

      it.skipIf(skipped)("reads a layer that images share once, on any nodes", async () => {
        await using at = await start();
        await using store = await open(at.database.location);
        await using second = assembleIndexService(serviceOptions(store, at.layers.fetch));

        await Promise.all([
          at.service.submit(manifestOf([base, top], "1")),
          second.submit(manifestOf([base, other], "2")),
        ]);

        expect(at.layers.fetched.filter((digest) => digest === base.digest)).toHaveLength(1);
      });
    }

    it.skipIf(skipped)(
      "stores how a run failed, tells every caller that waited, and runs again when asked again",
      async () => {
        const layers = new MemoryLayers([base]);
        await using at = await start(layers);
        const manifest = manifestOf([base, top]);

        const problems = await Promise.all([1, 2, 3].map(() => problemOf(at.service.submit(manifest))));
        const report = await at.service.findReport(manifest.digest);
        const again = await problemOf(at.service.submit(manifest));

        expect([...problems, again]).toEqual(Array(4).fill("not_found"));
        expect(report).toMatchObject({
          state: "IndexError",
          success: false,
          packages: {},
          coverage: { status: "partial" },
        });
        expect(report?.error).toContain(top.digest);
        expect(layers.fetched.filter((digest) => digest === top.digest)).toHaveLength(2);
      },
    );

    it.skipIf(skipped)("tells a failure to who came before its run began, however long the looking took", async () => {
      await using at = await start(new MemoryLayers([]));
      const manifest = manifestOf([base]);
      const failed = Promise.withResolvers<void>();
      const store = slowLooks(at.store, [undefined, failed.promise]);
      await using service = assembleIndexService(serviceOptions(store, at.layers.fetch));

      const [first, second] = [1, 2].map(() => problemOf(service.submit(manifest)));
      expect(await first).toBe("not_found");
      failed.resolve();

      expect(await second).toBe("not_found");
      expect(at.layers.fetched).toHaveLength(1);
    });

    it.skipIf(skipped)("gives nothing to who gave up while looking, though it is there by then", async () => {
      await using at = await start();
      const manifest = manifestOf([base]);
      const finished = Promise.withResolvers<void>();
      const store = slowLooks(at.store, [finished.promise]);
      await using service = assembleIndexService(serviceOptions(store, at.layers.fetch));
      const caller = new AbortController();

      const given = problemOf(service.submit(manifest, { signal: caller.signal }));
      await service.submit(manifest);
      caller.abort();
      finished.resolve();

      expect(await given).toBe("aborted");
    });

    if (engine.shared) {
      it.skipIf(skipped)("tells the failure of another node's run to those who waited for it", async () => {
        const layers = new MemoryLayers([]);
        await using at = await start(layers);
        await using store = await open(at.database.location);
        const paused = Promise.withResolvers<void>();
        const sleep = (delayMs: number, signal?: AbortSignal) => {
          paused.resolve();
          return quickSleep(delayMs, signal);
        };
        await using second = assembleIndexService({ ...serviceOptions(store, layers.fetch), sleep });
        const manifest = manifestOf([base]);
        const began = Promise.withResolvers<void>();
        const fail = Promise.withResolvers<void>();
        layers.before = () => {
          began.resolve();
          return fail.promise;
        };

        const first = problemOf(at.service.submit(manifest));
        await began.promise;
        const waiting = problemOf(second.submit(manifest));
        await paused.promise;
        expect(await second.findReport(manifest.digest)).toMatchObject({ state: "FetchLayers" });
        fail.resolve();

        expect([await first, await waiting]).toEqual(["not_found", "not_found"]);
        expect(layers.fetched).toHaveLength(1);
      });
    }

    it.skipIf(skipped)("does not store secrets after a run, nor tell errors of its own", async () => {
      const layers = new MemoryLayers([base]);
      layers.before = () => Promise.reject(new TypeError("password=hunter2"));
      await using at = await start(layers);
      const manifest = manifestOf([base]);

      await problemOf(at.service.submit(manifest));

      const report = await at.service.findReport(manifest.digest);
      expect(report?.error).toBe("indexing failed for a reason of the service's own");
      const runs = await at.store.db.selectFrom("indexer_run").selectAll().execute();
      expect(JSON.stringify(runs)).not.toMatch(/secret|hunter2/);
    });

    it.skipIf(skipped)("shows a run under way as not finished", async () => {
      const layers = new MemoryLayers([base]);
      await using at = await start(layers);
      const manifest = manifestOf([base]);
      const seen: unknown[] = [];
      layers.before = async () => {
        seen.push(await at.service.findReport(manifest.digest));
      };

      await at.service.submit(manifest);

      expect(seen).toMatchObject([{ state: "FetchLayers", success: false, packages: {} }]);
    });

    it.skipIf(skipped)("keeps the finished report while detectors have changed and the new run fails", async () => {
      const layers = new MemoryLayers([base]);
      await using at = await start(layers);
      const manifest = manifestOf([base]);
      const before = await at.service.submit(manifest);
      const changed = createEngine({ ecosystems: [linux, dpkg], limits: { maxLayers: 10 } });
      const failing = new MemoryLayers([]);
      const upgraded = assembleIndexService({
        ...serviceOptions(at.store, failing.fetch),
        engine: changed,
        readers: nodeReaders(changed),
      });
      expect(upgraded.state()).not.toBe(at.service.state());

      expect(await problemOf(upgraded.submit(manifest))).toBe("not_found");
      expect(await upgraded.findReport(manifest.digest)).toEqual(before);

      const repaired = assembleIndexService({
        ...serviceOptions(at.store, layers.fetch),
        engine: changed,
        readers: nodeReaders(changed),
      });
      await repaired.submit(manifest);
      expect(layers.fetched).toHaveLength(2);
      expect(await countRows(at.store)).toMatchObject({ indexer_manifest: 1, indexer_run: 0, indexer_record: 2 });
    });

    it.skipIf(skipped)("goes on for the others when one caller gives up", async () => {
      const layers = new MemoryLayers([base]);
      await using at = await start(layers);
      const manifest = manifestOf([base]);
      const caller = new AbortController();
      layers.before = async () => caller.abort();

      const given = problemOf(at.service.submit(manifest, { signal: caller.signal }));
      const kept = at.service.submit(manifest);

      expect(await given).toBe("aborted");
      expect((await kept).success).toBe(true);
    });

    it.skipIf(skipped)("deletes an image with what only it has", async () => {
      await using at = await start();
      const [first, second] = [manifestOf([base, top], "1"), manifestOf([base, other], "2")];
      await at.service.submit(first);
      const alone = await countRows(at.store);
      await at.service.submit(second);

      const unknown = manifestOf([], "3").digest;
      expect(await at.service.deleteMany([second.digest, unknown, second.digest])).toEqual([second.digest]);
      expect(await countRows(at.store)).toEqual(alone);
      expect(await at.service.findReport(second.digest)).toBeUndefined();

      expect(await at.service.delete(first.digest)).toBe(true);
      expect(Object.values(await countRows(at.store))).toEqual(tables.map(() => 0));
    });

    it.skipIf(skipped)("lists the images that anything is stored of, failed ones too, in pages", async () => {
      const layers = new MemoryLayers([base]);
      await using at = await start(layers);
      const images = ["1", "2", "3"].map((salt) => manifestOf([base], salt));
      for (const image of images) await at.service.submit(image);
      const failed = manifestOf([other]); // its layer is not there
      expect(await problemOf(at.service.submit(failed))).toBe("not_found");
      let underWay: readonly Digest[] = [];
      layers.before = async () => {
        underWay = await at.service.listImages("", 9);
      };
      const last = manifestOf([top]);
      await problemOf(at.service.submit(last));

      const sorted = [...images, failed].map(({ digest }) => digest).sort();
      expect(underWay).toEqual(sorted);
      const [, second = ""] = sorted;
      expect(await at.service.listImages("", 2)).toEqual(sorted.slice(0, 2));
      const all = [...sorted, last.digest].sort();
      expect(await at.service.listImages(second, 9)).toEqual(all.filter((digest) => digest > second));
      expect(await at.service.listImages("sha256:g", 9)).toEqual([]);
    });

    it.skipIf(skipped)("does not bring an image back that is deleted while it is indexed", async () => {
      const layers = new MemoryLayers([base]);
      await using at = await start(layers);
      const manifest = manifestOf([base]);
      layers.before = async () => {
        expect(await at.service.delete(manifest.digest)).toBe(true);
      };

      expect(await problemOf(at.service.submit(manifest))).toBe("deleted");
      expect(await at.service.findReport(manifest.digest)).toBeUndefined();
    });

    it.skipIf(skipped)(
      "indexes an image anew that is submitted after it was deleted while it was indexed",
      async () => {
        const layers = new MemoryLayers([base]);
        await using at = await start(layers);
        const manifest = manifestOf([base]);
        const again = Promise.withResolvers<string>();
        layers.before = async () => {
          layers.before = async () => {};
          await at.service.delete(manifest.digest);
          again.resolve(problemOf(at.service.submit(manifest)));
          await Promise.race([again.promise, at.store.db.selectFrom("indexer_run").selectAll().execute()]);
        };

        expect(await problemOf(at.service.submit(manifest))).toBe("deleted");
        expect(await again.promise).toBe("no problem");
        expect(await at.service.findReport(manifest.digest)).toMatchObject({ success: true });
      },
    );

    it.skipIf(skipped)("leaves the runs that a stop cuts off to the next start", async () => {
      const layers = new MemoryLayers([base]);
      await using at = await start(layers);
      const manifest = manifestOf([base]);
      const began = Promise.withResolvers<void>();
      const stopping = assembleIndexService(serviceOptions(at.store, (layer, signal) => hang(layer.digest, signal)));
      async function* hang(_: Digest, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
        began.resolve();
        await new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      }
      const cutOff = problemOf(stopping.submit(manifest));
      await began.promise;

      expect(await at.service.resume()).toEqual([]);
      await stopping[Symbol.asyncDispose]();
      expect(await cutOff).not.toBe("no problem");

      expect(await at.service.resume()).toEqual([manifest.digest]);
      expect(await at.service.findReport(manifest.digest)).toMatchObject({ success: true });
      expect(await at.service.resume()).toEqual([]);
    });

    it.skipIf(skipped)("stores how a run failed that it took over", async () => {
      await using at = await start(new MemoryLayers([]));
      const manifest = manifestOf([base]);
      await beginAndLeave(at.store, manifest, 1);

      expect(await at.service.resume()).toEqual([manifest.digest]);
      expect(await at.service.findReport(manifest.digest)).toMatchObject({ state: "IndexError" });
    });

    it.skipIf(skipped)("does not take a run over for ever", async () => {
      await using at = await start();
      const manifest = manifestOf([base]);
      await beginAndLeave(at.store, manifest, 5);

      expect(await at.service.resume()).toEqual([manifest.digest]);
      expect(await at.service.findReport(manifest.digest)).toMatchObject({
        state: "IndexError",
        success: false,
        error: expect.stringMatching(/begun 5 times.*submit/),
        coverage: { problems: [{ at: manifest.digest, code: "aborted" }] },
      });
      expect(at.layers.fetched).toEqual([]);
      expect((await at.service.submit(manifest)).success).toBe(true);
    });

    it.skipIf(skipped)("begins anew for those who waited for a run that is given up", async () => {
      await using at = await start();
      const manifest = manifestOf([base]);
      await beginAndLeave(at.store, manifest, 5);
      const { clock } = serviceOptions(at.store, at.layers.fetch);
      const dead = await at.store.tryLock(`indexer.manifest.${manifest.digest}`, { clock, leaseSeconds: 30 });
      const givenUp: Digest[] = [];
      await using waiting = assembleIndexService({
        ...serviceOptions(at.store, at.layers.fetch),
        async sleep(delayMs, signal) {
          if (givenUp.length > 0) return quickSleep(delayMs, signal);
          await dead?.release();
          givenUp.push(...(await at.service.resume()));
        },
      });

      const report = await waiting.submit(manifest);

      expect([givenUp, report.success]).toEqual([[manifest.digest], true]);
    });

    it.skipIf(skipped)("refuses layers that are not what they say", async () => {
      const lying = { ...base, bytes: top.bytes };
      await using at = await start(new MemoryLayers([lying, { ...top, bytes: new TextEncoder().encode("no tar") }]));

      expect(await problemOf(at.service.submit(manifestOf([lying], "1")))).toBe("digest_mismatch");
      expect(await problemOf(at.service.submit(manifestOf([top], "2")))).not.toBe("no problem");
      expect((await countRows(at.store)).indexer_layer).toBe(0);
    });

    it.skipIf(skipped)("gives up a layer that never ends at the limit", async () => {
      const engine = createEngine({ ecosystems: [linux, dpkg], limits: { maxLayerBytes: 1_000_000 } });
      await using at = await start(undefined, {
        engine,
        readers: nodeReaders(engine),
        async *fetchLayer() {
          for (;;) yield new Uint8Array(10_000);
        },
      });

      expect(await problemOf(at.service.submit(manifestOf([base])))).toBe("layer_too_large");
    });
  },
);

function beginAndLeave(store: IndexerStore, manifest: Manifest, attempts: number) {
  return beginRun(store, { id: "cut off", manifest, attempts, at: 1 });
}

/** A store whose first looks each wait for something before they begin. */
function slowLooks(store: IndexerStore, waits: readonly (Promise<void> | undefined)[]): IndexerStore {
  const left = [...waits];
  return {
    ...store,
    prepareRead(text) {
      const read = store.prepareRead(text);
      return async (...parameters) => {
        await left.shift();
        return read(...parameters);
      };
    },
  };
}
