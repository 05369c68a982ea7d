import { allEcosystems, createEngine, type IndexReport } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import type { IndexedImage } from "@plimsoll/core/internal";
import { engineTitle, openTestStore, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { base, startIndexService } from "./fixtures/indexed-service.ts";
import { manifestOf } from "./fixtures/service-parts.ts";
import { rememberImage } from "./remember-image.ts";
import { countIndexedImages, findIndexedImages } from "./store/indexed-images.ts";
import { indexerMigrations } from "./store/migrations/all.ts";
import type { IndexerStore, IndexerTables } from "./store/tables.ts";

const engine = createEngine({ ecosystems: allEcosystems });
const digestOf = (letter: string) => parseDigest(`sha256:${letter.repeat(64)}`);

/** A Debian image with zlib of a version. */
function scanned(name: string, letter: string, version = "1"): IndexedImage {
  const layer = digestOf(letter);
  const report: IndexReport = {
    manifestDigest: digestOf(letter),
    state: "IndexFinished",
    success: true,
    packages: {
      "1": {
        id: "1",
        name: "zlib1g",
        version,
        kind: "BINARY",
        source: { id: "2", name: "zlib", version, kind: "SOURCE" },
      },
    },
    distributions: { "1": { id: "1", did: "debian", versionId: "12" } },
    repositories: {},
    environments: {
      "1": [{ packageDb: "var/lib/dpkg/status", introducedIn: layer, distributionId: "1", repositoryIds: [] }],
    },
    coverage: { status: "complete", layers: [], databases: [], problems: [], unassessed: [], thirdPartyPackages: 0 },
  };
  return { source: name, reference: name, report };
}

async function found(store: IndexerStore, name = "zlib") {
  const images: [string | undefined, readonly string[]][] = [];
  const question = { keys: [{ ecosystem: "debian:12", name }], keysState: engine.keysState };
  for await (const { report, names } of findIndexedImages(store, question))
    images.push([report.manifestDigest.slice(7, 8), names]);
  return images;
}

describe.each(testEngines.map((each) => ({ each, title: engineTitle(each) })))(
  "rememberImage on $title",
  ({ each }) => {
    const on = it.skipIf(each.skip !== undefined);
    async function open() {
      const database = await each.create();
      const store = await openTestStore<IndexerTables>(database.location, { migrations: [indexerMigrations] });
      let at = 0;
      const remember = (image: IndexedImage, of = engine) =>
        rememberImage({ store, engine: of, clock: { now: () => ++at } }, image);
      return {
        store,
        remember,
        [Symbol.asyncDispose]: async () => {
          await store[Symbol.asyncDispose]();
          await database[Symbol.asyncDispose]();
        },
      };
    }

    on("finds images by the keys of their packages, with their names", async () => {
      await using at = await open();
      await at.remember(scanned("one", "a"));
      await at.remember(scanned("two", "b", "2"));
      await at.remember(scanned("again", "a"));

      expect(await found(at.store)).toEqual([
        ["a", ["again", "one"]],
        ["b", ["two"]],
      ]);
      expect(await found(at.store, "openssl")).toEqual([]);
      expect(await countIndexedImages(at.store, engine)).toEqual({ indexedCount: 2, outdatedCount: 0 });
    });

    on("finds all images whose keys have another state, before and after the engine's", async () => {
      await using at = await open();
      await at.remember(scanned("before", "a"), { ...engine, keysState: "!" });
      await at.remember(scanned("after", "b"), { ...engine, keysState: "~" });
      await at.remember(scanned("same", "c"));

      expect((await found(at.store, "openssl")).map(([digest]) => digest)).toEqual(["a", "b"]);
    });

    on("forgets an image with its last name, and all that was stored of it", async () => {
      await using at = await open();
      await at.remember(scanned("one", "a"));
      await at.remember(scanned("two", "a"));
      await at.remember(scanned("one", "b", "2"));
      expect((await found(at.store)).map(([digest]) => digest)).toEqual(["a", "b"]);
      await at.remember(scanned("two", "b", "2"));

      expect((await found(at.store)).map(([digest]) => digest)).toEqual(["b"]);
      for (const table of ["indexer_manifest", "indexer_record"] as const)
        expect(await at.store.db.selectFrom(table).select("id").execute()).toHaveLength(1);
    });

    on("forgets the names that were scanned longest ago", async () => {
      await using at = await open();
      const names = Array.from({ length: 1_000 }, (_, index) => ({
        name: `n${index}`,
        platform: "",
        manifest_digest: digestOf("c"),
        scanned_at: 10 + index,
      }));
      await at.remember(scanned("first", "a"));
      await at.store.db.insertInto("indexer_scanned").values(names.slice(0, 500)).execute();
      await at.store.db.insertInto("indexer_scanned").values(names.slice(500)).execute();
      await at.remember(scanned("n999", "c"));
      expect((await found(at.store)).length).toBe(2);
      await at.store.db.updateTable("indexer_scanned").set({ scanned_at: 5_000 }).where("name", "=", "n0").execute();
      await rememberImage({ store: at.store, engine, clock: { now: () => 6_000 } }, scanned("last", "d"));

      expect((await found(at.store)).map(([digest]) => digest)).toEqual(["c", "d"]);
      expect(await at.store.db.selectFrom("indexer_scanned").select("name").execute()).toHaveLength(1_000);
    });

    on("gives images of other keys whatever is asked, and reads of other detectors are counted", async () => {
      await using at = await open();
      await at.remember(scanned("old", "a"), { ...engine, keysState: "0", state: "0" });

      expect(await found(at.store, "openssl")).toEqual([["a", ["old"]]]);
      expect(await countIndexedImages(at.store, engine)).toEqual({ indexedCount: 1, outdatedCount: 1 });
      await at.remember(scanned("old", "a"));
      expect(await found(at.store, "openssl")).toEqual([]);
      expect(await countIndexedImages(at.store, engine)).toEqual({ indexedCount: 1, outdatedCount: 0 });
    });

    on("leaves images of the service to the service, which knows nothing of scans", async () => {
      await using at = await startIndexService(each);
      const manifest = manifestOf([base]);
      await at.service.submit(manifest);
      const image = scanned("app", "e");
      const remember = (one: IndexedImage) => rememberImage({ store: at.store, engine, clock: Date }, one);
      await remember({ ...image, report: { ...image.report, manifestDigest: manifest.digest } });
      await remember(scanned("other", "f"));
      await remember(scanned("app", "f"));

      expect(await at.service.listImages("", 9)).toEqual([manifest.digest]);
      expect(await at.store.db.selectFrom("indexer_manifest").select("scanned").orderBy("scanned").execute()).toEqual([
        { scanned: 0 },
        { scanned: 1 },
      ]);
    });
  },
);
