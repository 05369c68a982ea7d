import { createEngine, dpkg, type IndexReport, linux } from "@plimsoll/core";
import { buildPathSet } from "@plimsoll/core/internal";
import { engineTitle, openTestStore, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { betweenParts } from "../fixtures/between-parts.ts";
import { longReport } from "../fixtures/long-report.ts";
import { formatReport } from "../values/format-report.ts";
import { recordsToIndex } from "../values/indexed-records.ts";
import { formatLayerRecord } from "../values/layer-record.ts";
import { deleteOldLayers, storedLayers } from "./layer-store.ts";
import { addLeftovers, beginDraft, type Draft, deleteLeftovers, dropDraft } from "./leftovers.ts";
import { deleteManifest, findFinished } from "./manifests.ts";
import { indexerMigrations } from "./migrations/all.ts";
import { putFinished } from "./put-finished.ts";
import { findManifests, findRecords } from "./reverse-index.ts";
import { beginRun } from "./runs.ts";
import type { IndexerStore, IndexerTables } from "./tables.ts";

const engine = createEngine({ ecosystems: [linux, dpkg] });
const packages = 2_500;
/** How often a second writer gets in between at least; while one transaction is open, it is once. */
const entries = 3;
/** Then something happens. */
const partsWritten = 3;
const lock = "the image's lock";

async function start(testEngine: TestEngine) {
  const database = await testEngine.create();
  const store = await openTestStore<IndexerTables>(database.location, { migrations: [indexerMigrations] });
  return {
    store,
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Stores a report as an indexer does. */
async function put(store: IndexerStore, given: IndexReport, run = "run"): Promise<boolean> {
  const { manifestDigest } = given;
  await beginRun(store, { id: run, manifest: { digest: manifestDigest, layers: [] }, attempts: 1, at: 1 });
  const [report, records] = [formatReport(given), recordsToIndex(engine, given)];
  return putFinished(store, { manifestDigest, report, records, engineState: "s", layers: [], at: 1, run, lock });
}

/** Writes and looks, one after the other, until `work` is done; at least once. Returns what each look has found. */
async function beside<Seen>(store: IndexerStore, work: Promise<unknown>, look: () => Promise<Seen>): Promise<Seen[]> {
  const seen: Seen[] = [];
  const done = work.then(() => true);
  const isDone = () => Promise.race([done, Promise.resolve(false)]);
  do {
    await store.relaxed.updateTable("indexer_run").set({ changed_at: 2 }).where("run", "=", "another run").execute();
    seen.push(await look());
  } while (!(await isDone()));
  return seen;
}

/** How many images have a package of each version that some image has. */
async function countImages(store: IndexerStore, name: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for await (const records of findRecords(store, [{ ecosystem: "debian:12", name }])) {
    for (const { id, record } of records) {
      for await (const { manifests } of findManifests(store, [id])) counts[record.package.version] = manifests.length;
    }
  }
  return counts;
}

async function countRows({ db }: IndexerStore) {
  const tables = ["indexer_manifest_record", "indexer_record", "indexer_piece", "indexer_leftover"] as const;
  const counts = tables.map((table) => db.selectFrom(table).selectAll().execute());
  return (await Promise.all(counts)).map(({ length }) => length);
}

const engines = testEngines.map((testEngine) => ({ testEngine, title: engineTitle(testEngine) }));

describe.each(engines)("long reports on $title", ({ testEngine }) => {
  const test = it.skipIf(testEngine.skip !== undefined);

  test("let others write between their parts, who see nothing of them until they are whole", async () => {
    await using at = await start(testEngine);
    const report = longReport(packages, "1");
    const look = async () => {
      const images = await countImages(at.store, "source-of-1");
      const found = await findFinished(at.store, report.manifestDigest);
      return [found === undefined ? "nothing" : Object.keys(found.packages).length, images] as const;
    };

    const seen = await beside(at.store, put(at.store, report), look);

    const before = seen.filter(([found]) => found === "nothing");
    expect(before.length).toBeGreaterThan(entries);
    expect(before.every(([, images]) => Object.keys(images).length === 0)).toBe(true);
    expect(await look()).toEqual([packages, { "1": 1 }]);
    expect(await findFinished(at.store, report.manifestDigest)).toEqual(report);
  });

  test("replace one another at once", async () => {
    await using at = await start(testEngine);
    await put(at.store, longReport(packages, "1"));
    const next = longReport(packages, "2");
    const look = async () => {
      const found = await findFinished(at.store, next.manifestDigest);
      return new Set(Object.values(found?.packages ?? {}).map(({ version }) => version)).size;
    };

    const seen = await beside(at.store, put(at.store, next), look);

    expect(new Set(seen)).toEqual(new Set([1]));
    expect(await countImages(at.store, "source-of-1")).toEqual({ "2": 1 });
    const [links, records, , leftovers] = await countRows(at.store);
    expect([links, records, leftovers]).toEqual([packages, packages, 0]);
  });

  test("are deleted in parts, and the rest is not visible", async () => {
    await using at = await start(testEngine);
    const report = longReport(packages, "1");
    await put(at.store, report);

    const seen = await beside(at.store, deleteManifest(at.store, report.manifestDigest), () =>
      countImages(at.store, "source-of-2000"),
    );

    expect(seen.length).toBeGreaterThan(entries);
    expect(seen.slice(2).every((images) => Object.keys(images).length === 0)).toBe(true);
    expect(await countRows(at.store)).toEqual([0, 0, 0, 0]);
  });

  test("are left to the process that has taken the lock over, with nothing left of them", async () => {
    await using at = await start(testEngine);
    const drafts: Draft[] = [];
    const takenOver = betweenParts(at.store, partsWritten, async () => drafts.push(await beginDraft(at.store, lock)));

    expect(await put(takenOver, longReport(packages, "1"))).toBe(false);

    expect(await countRows(at.store)).toEqual([0, 0, 0, 1]);
    for (const theirs of drafts) await dropDraft(at.store, theirs);
    expect(await countRows(at.store)).toEqual([0, 0, 0, 0]);
  });

  test("are not stored when their images are deleted, and leave nothing", async () => {
    await using at = await start(testEngine);
    const report = longReport(packages, "1");
    const deleted = betweenParts(at.store, partsWritten, () => deleteManifest(at.store, report.manifestDigest));

    expect(await put(deleted, report)).toBe(false);

    expect(await countRows(at.store)).toEqual([0, 0, 0, 0]);
  });

  test("are given up with nothing left of them", async () => {
    await using at = await start(testEngine);
    const failing = betweenParts(at.store, partsWritten, () => Promise.reject(new Error("given up")));

    await expect(put(failing, longReport(packages, "1"))).rejects.toThrow("given up");

    expect(await countRows(at.store)).toEqual([0, 0, 0, 0]);
  });

  test("keep their numbers until nothing is left of them", async () => {
    await using at = await start(testEngine);
    const [gone, next] = [longReport(3, "1"), longReport(3, "2", "2")];
    await put(at.store, gone);
    const left = await at.store.transaction(async (transaction) => {
      const deleted = await transaction.deleteFrom("indexer_manifest").returning(["id", "more"]).execute();
      return addLeftovers(transaction, deleted);
    });

    await put(at.store, next);
    await deleteLeftovers(at.store, left);
    await deleteLeftovers(at.store, left); // as a process that came late

    expect(await countImages(at.store, "source-of-1")).toEqual({ "2": 1 });
    expect(await countRows(at.store)).toEqual([3, 3, 0, 0]);
  });
});

describe.each(engines)("long layers on $title", ({ testEngine }) => {
  const test = it.skipIf(testEngine.skip !== undefined);
  const digest = longReport(1, "1").manifestDigest;
  const path = "var/lib/dpkg/status".padEnd(1_000, "-");
  const shape = formatLayerRecord({
    digest,
    findings: { "dpkg-status": Array.from({ length: 2_000 }, () => ({ kind: "database" as const, path })) },
    shape: { removed: empty(), opaque: empty(), leaves: empty(), folders: empty() },
    entries: 1,
    uncompressedBytes: 1,
  });

  test("are visible only when they are whole, and are put again", async () => {
    await using at = await start(testEngine);
    const layers = storedLayers(at.store, () => 1);
    await layers.put(shape, "state");
    await at.store.db.deleteFrom("indexer_piece").where("number", "=", 3).execute(); // as if the process had died

    expect(await layers.find(digest, "state")).toBeUndefined();
    await layers.put(shape, "state");

    expect(await layers.find(digest, "state")).toEqual(shape);
    expect(await countRows(at.store)).toEqual([0, 0, shape.pieces.length - 1, 0]);
  });

  test("are there once when several put them at once, and go with their pieces", async () => {
    await using at = await start(testEngine);
    const layers = storedLayers(at.store, () => 1);
    await Promise.all([1, 2, 3, 4].map(() => layers.put(shape, "state")));

    expect(await layers.find(digest, "state")).toEqual(shape);
    expect(await countRows(at.store)).toEqual([0, 0, shape.pieces.length - 1, 0]);
    await storedLayers(at.store, () => 2).put({ ...shape, pieces: ["{}"] }, "other");
    expect(await deleteOldLayers(at.store, 1)).toBe(1);
    expect(await countRows(at.store)).toEqual([0, 0, 0, 0]);
  });
});

function empty() {
  return buildPathSet([]);
}
