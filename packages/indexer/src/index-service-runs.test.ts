import type { Digest } from "@plimsoll/core/digest";
import type { Manifest } from "@plimsoll/core/internal";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { base, openIndexerStore, other, problemOf, startIndexService, top } from "./fixtures/indexed-service.ts";
import { MemoryLayers, manifestOf, quickSleep, serviceOptions } from "./fixtures/service-parts.ts";
import { assembleIndexService } from "./index-service.ts";
import { beginRun } from "./store/runs.ts";
import type { IndexerStore } from "./store/tables.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "runs of assembleIndexService on $title",
  ({ engine }) => {
    const skipped = engine.skip !== undefined;

    it.skipIf(skipped)("runs once for many who submit the same image", async () => {
      await using at = await startIndexService(engine);
      const manifest = manifestOf([base, top]);

      const reports = await Promise.all(Array.from({ length: 20 }, () => at.service.submit(manifest)));

      expect(new Set(reports.map((report) => JSON.stringify(report))).size).toBe(1);
      expect(at.layers.fetched.toSorted()).toEqual([base.digest, top.digest].toSorted());
    });

    if (engine.shared) {
      it.skipIf(skipped)("runs once when several nodes are asked at once", async () => {
        await using at = await startIndexService(engine);
        await using store = await openIndexerStore(at.database.location);
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
        await using at = await startIndexService(engine);
        await using store = await openIndexerStore(at.database.location);
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
        await using at = await startIndexService(engine, layers);
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

    it.skipIf(skipped)(
      "tells a failure to callers that came before its run began, however long their look-up took",
      async () => {
        await using at = await startIndexService(engine, new MemoryLayers([]));
        const manifest = manifestOf([base]);
        const failed = Promise.withResolvers<void>();
        const store = slowLooks(at.store, [undefined, failed.promise]);
        await using service = assembleIndexService(serviceOptions(store, at.layers.fetch));

        const [first, second] = [1, 2].map(() => problemOf(service.submit(manifest)));
        expect(await first).toBe("not_found");
        failed.resolve();

        expect(await second).toBe("not_found");
        expect(at.layers.fetched).toHaveLength(1);
      },
    );

    it.skipIf(skipped)(
      "gives nothing to a caller that gave up while looking, even when the report is there by then",
      async () => {
        await using at = await startIndexService(engine);
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
      },
    );

    if (engine.shared) {
      it.skipIf(skipped)("tells the failure of another node's run to those who waited for it", async () => {
        const layers = new MemoryLayers([]);
        await using at = await startIndexService(engine, layers);
        await using store = await openIndexerStore(at.database.location);
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
      await using at = await startIndexService(engine, layers);
      const manifest = manifestOf([base]);

      await problemOf(at.service.submit(manifest));

      const report = await at.service.findReport(manifest.digest);
      expect(report?.error).toBe("indexing failed because of an internal error");
      const runs = await at.store.db.selectFrom("indexer_run").selectAll().execute();
      expect(JSON.stringify(runs)).not.toMatch(/secret|hunter2/);
    });

    it.skipIf(skipped)("goes on for the others when one caller gives up", async () => {
      const layers = new MemoryLayers([base]);
      await using at = await startIndexService(engine, layers);
      const manifest = manifestOf([base]);
      const caller = new AbortController();
      layers.before = async () => caller.abort();

      const given = problemOf(at.service.submit(manifest, { signal: caller.signal }));
      const kept = at.service.submit(manifest);

      expect(await given).toBe("aborted");
      expect((await kept).success).toBe(true);
    });

    it.skipIf(skipped)("leaves the runs that a stop cuts off to the next start", async () => {
      const layers = new MemoryLayers([base]);
      await using at = await startIndexService(engine, layers);
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
      await using at = await startIndexService(engine, new MemoryLayers([]));
      const manifest = manifestOf([base]);
      await beginAndLeave(at.store, manifest, 1);

      expect(await at.service.resume()).toEqual([manifest.digest]);
      expect(await at.service.findReport(manifest.digest)).toMatchObject({ state: "IndexError" });
    });

    it.skipIf(skipped)("does not take a run over again and again", async () => {
      await using at = await startIndexService(engine);
      const manifest = manifestOf([base]);
      await beginAndLeave(at.store, manifest, 5);

      expect(await at.service.resume()).toEqual([manifest.digest]);
      expect(await at.service.findReport(manifest.digest)).toMatchObject({
        state: "IndexError",
        success: false,
        error: expect.stringMatching(/started 5 times.*submit/),
        coverage: { problems: [{ at: manifest.digest, code: "aborted" }] },
      });
      expect(at.layers.fetched).toEqual([]);
      expect((await at.service.submit(manifest)).success).toBe(true);
    });

    it.skipIf(skipped)("starts again for those who waited for a run that is given up", async () => {
      await using at = await startIndexService(engine);
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
