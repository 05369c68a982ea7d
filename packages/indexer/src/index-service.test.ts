import { createEngine, dpkg, linux } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { buildLayer, engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { nodeReaders } from "./adapters/platform/node-readers.ts";
import { base, countRows, other, problemOf, startIndexService, tables, top } from "./fixtures/indexed-service.ts";
import { loggedLayers, longLayer, MemoryLayers, manifestOf, serviceOptions } from "./fixtures/service-parts.ts";
import { assembleIndexService } from "./index-service.ts";
import type { ImagesQuestion } from "./store/find-images.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "assembleIndexService on $title",
  ({ engine }) => {
    const skipped = engine.skip !== undefined;

    it.skipIf(skipped)("reads a stored report that says nothing of unassessed packages", async () => {
      await using at = await startIndexService(engine);
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
      await using at = await startIndexService(engine, new MemoryLayers([long]));
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

    it.skipIf(skipped)(
      "finds the images that have a package, by its name or that of its source, in pages",
      async () => {
        await using at = await startIndexService(engine);
        const images = ["1", "2", "3"].map((digit) => manifestOf([base, top], digit));
        for (const image of images) await at.service.submit(image);
        await at.service.submit(manifestOf([top], "4"));
        const digests = images.map(({ digest }) => digest).sort();
        const ask = (value: string, more: Partial<ImagesQuestion> = {}) =>
          at.service.findImages({ kind: "package", value, after: "", limit: 2, ...more });

        const first = await ask("ZLIB1G");
        const second = await ask("zlib1g", { after: first.next ?? "" });
        const [{ version = "" } = {}] = first.images[0]?.packages ?? [];

        expect(first.images.map(({ digest }) => digest)).toEqual(digests.slice(0, 2));
        expect(first.images[0]?.packages).toMatchObject([{ name: "zlib1g" }]);
        expect(second).toMatchObject({ images: [{ digest: digests[2] }], next: undefined });
        expect((await ask("zlib1g", { limit: 9, version })).images).toHaveLength(3);
        expect(await ask("zlib1g", { limit: 9, version: "0" })).toEqual({ images: [] });
        expect(await ask("zlib1", { limit: 9 })).toEqual({ images: [] });
        for (const digest of digests) await at.service.delete(digest);
        expect(await ask("zlib1g")).toEqual({ images: [] });
        expect(await countRows(at.store)).toMatchObject({ indexer_record_fact: 0 });
      },
    );

    it.skipIf(skipped)("finds the images with a licence, a supplier or a package of a source", async () => {
      const status =
        "Package: zlib1g\nStatus: install ok installed\nSource: zlib\nArchitecture: amd64\nVersion: 2:1-3\nMaintainer: Mark Brown <broonie@example.org>\n";
      const slim = {
        "var/lib/dpkg/status": status,
        "usr/lib/python3/site-packages/Zope.Interface-5.4.0.dist-info/METADATA":
          "Metadata-Version: 2.1\nName: Zope.Interface\nVersion: 5.4.0\n",
        "app/node_modules/some-thing/package.json": JSON.stringify({
          name: "some-thing",
          version: "1.0.0",
          license: "GPL-3.0 OR EUPL-1.2+",
        }),
      };
      const copyright =
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\nCopyright: x\nLicense: Zlib\n";
      const layers = await Promise.all(
        [slim, { ...slim, "usr/share/doc/zlib1g/copyright": copyright }].map((tree) => buildLayer(tree)),
      );
      await using one = await startIndexService(engine, new MemoryLayers(layers));
      for (const [index, layer] of layers.entries()) await one.service.submit(manifestOf([layer], String(index)));
      const find = async (kind: ImagesQuestion["kind"], value: string, version?: string) =>
        (await one.service.findImages({ kind, value, version, after: "", limit: 9 })).images.length;

      expect(await find("license", "zlib")).toBe(1);
      expect(await find("package", "zlib")).toBe(2);
      expect(await find("supplier", "Mark Brown <broonie@example.org>")).toBe(2);
      expect(await find("license", "MIT")).toBe(0);
      for (const name of ["GPL-3.0", "gpl-3.0-only", "EUPL-1.2", "EUPL-1.2+"])
        expect([name, await find("license", name)]).toEqual([name, 2]);
      expect(await find("license", "GPL-3.0+")).toBe(0);
      expect(await find("package", "zope_interface")).toBe(2);
      expect(await find("package", "some_thing")).toBe(0);
      expect(await find("package", "zlib1g", "2:1-3")).toBe(2);
      expect(await find("package", "zlib1g", "1-3")).toBe(2);
      expect(await find("package", "zlib1g", "1:1-3")).toBe(0);
    });

    it.skipIf(skipped)("takes no report of other layers for an image's, whichever client named them so", async () => {
      await using at = await startIndexService(engine);
      const nothing = await at.service.submit(manifestOf([top], "1"));

      const report = await at.service.submit(manifestOf([base], "1"));

      expect(nothing.packages).toEqual({});
      expect(Object.values(report.packages).map(({ name }) => name)).toContain("zlib1g");
    });

    it.skipIf(skipped)("indexes an image and gives the same report again without reading a layer", async () => {
      await using at = await startIndexService(engine);
      const manifest = manifestOf([base, top]);

      const report = await at.service.submit(manifest);

      expect([report.state, report.success, report.manifestDigest]).toEqual(["IndexFinished", true, manifest.digest]);
      expect(Object.values(report.packages).map(({ name }) => name)).toEqual(["libc6", "zlib1g"]);
      expect(await at.service.submit(manifest)).toEqual(report);
      expect(await at.service.findReport(manifest.digest)).toEqual(report);
      expect(at.layers.fetched).toHaveLength(2);
      expect(await countRows(at.store)).toMatchObject({ indexer_manifest: 1, indexer_run: 0, indexer_record: 2 });
    });

    it.skipIf(skipped)(
      "reads a database with its log from another layer, once, and deletes what it kept of both",
      async () => {
        const logged = await loggedLayers();
        await using at = await startIndexService(engine, new MemoryLayers(logged));

        const report = await at.service.submit(manifestOf(logged, "1"));
        const again = await at.service.submit(manifestOf(logged, "2"));

        expect(Object.values(report.packages).map(({ name }) => name)).toEqual(["bash", "zlib"]);
        expect(report.coverage.problems).toEqual([]);
        expect(again.packages).toEqual(report.packages);
        expect(at.layers.fetched).toHaveLength(4);
        await at.service.delete(manifestOf(logged, "1").digest);
        expect(await countRows(at.store)).toMatchObject({ indexer_layer: 3 });
        await at.service.delete(manifestOf(logged, "2").digest);
        expect(await countRows(at.store)).toMatchObject({ indexer_layer: 0, indexer_manifest_layer: 0 });
      },
    );

    it.skipIf(skipped)("finishes an image without layers", async () => {
      await using at = await startIndexService(engine);

      const report = await at.service.submit(manifestOf([]));

      expect([report.success, report.packages]).toEqual([true, {}]);
    });

    it.skipIf(skipped)("knows nothing of an image that was never submitted", async () => {
      await using at = await startIndexService(engine);

      expect(await at.service.findReport(manifestOf([]).digest)).toBeUndefined();
      expect(await at.service.delete(manifestOf([]).digest)).toBe(false);
    });

    it.skipIf(skipped)("shows a run under way as not finished", async () => {
      const layers = new MemoryLayers([base]);
      await using at = await startIndexService(engine, layers);
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
      await using at = await startIndexService(engine, layers);
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

    it.skipIf(skipped)("deletes an image with what only it has", async () => {
      await using at = await startIndexService(engine);
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
      await using at = await startIndexService(engine, layers);
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
      await using at = await startIndexService(engine, layers);
      const manifest = manifestOf([base]);
      layers.before = async () => {
        expect(await at.service.delete(manifest.digest)).toBe(true);
      };

      expect(await problemOf(at.service.submit(manifest))).toBe("deleted");
      expect(await at.service.findReport(manifest.digest)).toBeUndefined();
    });

    it.skipIf(skipped)(
      "indexes an image again that is submitted after it was deleted while it was indexed",
      async () => {
        const layers = new MemoryLayers([base]);
        await using at = await startIndexService(engine, layers);
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

    it.skipIf(skipped)("refuses layers that are not what they say", async () => {
      const lying = { ...base, bytes: top.bytes };
      await using at = await startIndexService(
        engine,
        new MemoryLayers([lying, { ...top, bytes: new TextEncoder().encode("no tar") }]),
      );

      expect(await problemOf(at.service.submit(manifestOf([lying], "1")))).toBe("digest_mismatch");
      expect(await problemOf(at.service.submit(manifestOf([top], "2")))).not.toBe("no problem");
      expect((await countRows(at.store)).indexer_layer).toBe(0);
    });

    it.skipIf(skipped)("gives up a layer that never ends at the limit", async () => {
      const limited = createEngine({ ecosystems: [linux, dpkg], limits: { maxLayerBytes: 1_000_000 } });
      await using at = await startIndexService(engine, undefined, {
        engine: limited,
        readers: nodeReaders(limited),
        async *fetchLayer() {
          for (;;) yield new Uint8Array(10_000);
        },
      });

      expect(await problemOf(at.service.submit(manifestOf([base])))).toBe("layer_too_large");
    });
  },
);
