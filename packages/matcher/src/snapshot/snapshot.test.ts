import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync, zstdDecompressSync } from "node:zlib";
import type { Advisory } from "@plimsoll/core";
import type { Enricher, EnrichmentRecord } from "@plimsoll/core/plugins";
import { engineTitle, fakeUpdater, openTestStore, testAdvisory, testEngines } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exportToFile, importFromFile } from "../adapters/snapshot-file.ts";
import { noFeeds, openEmptyStore } from "../fixtures/test-stores.ts";
import { advisoriesOf } from "../store/advisories.ts";
import { findEnrichments } from "../store/enrichments.ts";
import { matcherMigrations } from "../store/migrations/all.ts";
import type { MatcherStore, MatcherTables } from "../store/tables.ts";
import { latestOperations, listOperations } from "../store/update-operations.ts";
import { updateFeeds } from "../update-feeds.ts";
import { exportDatabase } from "./export-database.ts";
import { importDatabase } from "./import-database.ts";

const clock = { now: () => 9_000 };

async function load(
  store: MatcherStore,
  {
    now,
    items,
    scores = [],
  }: { readonly now: number; readonly items: readonly Advisory[]; readonly scores?: readonly EnrichmentRecord[] },
) {
  const epss = fakeUpdater<EnrichmentRecord>("epss", { kind: "snapshot", fingerprint: `${now}`, items: scores });
  const enricher: Enricher = { name: "epss", type: "epss", updater: epss, tags: () => [], enrich: () => undefined };
  const results = await updateFeeds(
    {
      updaters: [fakeUpdater("debian", { kind: "snapshot", fingerprint: `${now}`, items })],
      enrichers: scores.length > 0 ? [enricher] : [],
    },
    {
      store,
      feeds: noFeeds,
      clock: { now: () => now },
    },
  );
  for (const result of results) if (result.kind === "failed") throw result.error;
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* inPieces(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const advisories = Array.from({ length: 2_500 }, (_, index) => {
  const id = `debian/${index}`;
  const odd = index % 3 === 0 ? { aliases: ["A"], versions: ["1\n2"], description: `line\nline ü ${index}` } : {};
  return testAdvisory({ id, updater: "debian", packageName: `p${index % 50}`, ...odd });
});
const scores = [
  { tags: ["CVE-1", "CVE-2"], record: { score: 0.5 } },
  { tags: ["CVE-3"], record: null },
];

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "a snapshot on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);
    let stack: AsyncDisposableStack;
    const open = () => openEmptyStore(engine, stack);
    beforeEach(() => {
      stack = new AsyncDisposableStack();
    });
    afterEach(() => stack.disposeAsync());

    test("carries everything to another store, which exports the same bytes", async () => {
      const [from, to] = [await open(), await open()];
      await load(from, { now: 1_000, items: advisories, scores });
      const exported = await bytesOf(exportDatabase(from));

      const results = await importDatabase({ store: to, source: inPieces(exported), clock });

      expect(results).toMatchObject([
        { updater: "debian", kind: "updated", items: 2_500, changes: { added: 2_500, removed: 0 } },
        { updater: "epss", kind: "updated", items: 2, changes: { added: 3, removed: 0 } },
      ]);
      expect(await latestOperations(to)).toEqual(await latestOperations(from));
      const ids = advisories.map(({ id }) => id);
      expect(await advisoriesOf(to).details(ids)).toEqual(advisories);
      expect(await findEnrichments(to, "epss", { tags: ["CVE-2", "CVE-3"] })).toHaveLength(2);
      expect(await advisoriesOf(to).coverage(["debian:12"])).toEqual([
        { ecosystem: "debian:12", covered: true, checkedAt: 1_000 },
      ]);
      expect((await bytesOf(exportDatabase(to))).equals(exported)).toBe(true);
      expect(await importDatabase({ store: to, source: inPieces(exported), clock })).toMatchObject([
        { updater: "debian", kind: "unchanged" },
        { updater: "epss", kind: "unchanged" },
      ]);
    });

    test("is imported under locks that last as long as the import does, and no other import begins meanwhile", async () => {
      const [from, to] = [await open(), await open()];
      await load(from, { now: 1_000, items: advisories, scores });
      const exported = await bytesOf(exportDatabase(from));
      let now = 9_000;
      const slow = { now: () => now };
      let others = 0;
      const onEvent = async () => {
        now += 200_000;
        const other = await to.tryLock("matcher.update.epss", { clock: slow, leaseSeconds: 60 });
        if (other !== undefined) others++;
      };

      await importDatabase({ store: to, source: inPieces(exported), clock: slow, onEvent });

      expect(now).toBeGreaterThan(600_000);
      expect(others).toBe(0);
    });

    test("changes what changed and can go back", async () => {
      const [from, to] = [await open(), await open()];
      await load(from, { now: 1_000, items: advisories });
      const first = await bytesOf(exportDatabase(from));
      await load(from, { now: 2_000, items: advisories.slice(10) });
      const second = await bytesOf(exportDatabase(from));
      await importDatabase({ store: to, source: inPieces(first), clock });

      const forward = await importDatabase({ store: to, source: inPieces(second), clock });
      const back = await importDatabase({ store: to, source: inPieces(first), clock });

      expect(forward).toMatchObject([{ changes: { added: 0, removed: 10 } }]);
      expect(back).toMatchObject([{ changes: { added: 10, removed: 0 } }]);
      expect(await listOperations(to)).toHaveLength(3);
      expect(await advisoriesOf(to).details(["debian/0"])).toHaveLength(1);
    });

    test("takes nothing of a file that is not whole", async () => {
      const [from, to] = [await open(), await open()];
      await load(from, { now: 1_000, items: advisories.slice(0, 600), scores });
      const whole = await bytesOf(exportDatabase(from));
      const text = gunzipSync(whole).toString();
      const lines = text.split("\n");
      const damaged = Buffer.from(whole);
      damaged[damaged.length >> 1] = (damaged[damaged.length >> 1] ?? 0) ^ 0xff;
      await load(to, { now: 500, items: advisories.slice(600, 700) });
      const before = await bytesOf(exportDatabase(to));
      const files: readonly (readonly [string, Uint8Array])[] = [
        ["empty", Buffer.alloc(0)],
        ["no snapshot", Buffer.from("PK\u0003\u0004 something else")],
        ["other JSON", gzipSync('{"hello":"world"}\n')],
        ["of a later release", gzipSync(text.replace('"version":1', '"version":2'))],
        ["cut in its compression", whole.subarray(0, whole.length >> 1)],
        ["cut at its very end", whole.subarray(0, whole.length - 4)],
        ["damaged", damaged],
        ["cut after a line", gzipSync(`${lines.slice(0, 300).join("\n")}\n`)],
        ["without its end", gzipSync(`${lines.slice(0, -2).join("\n")}\n`)],
        ["with a changed line", gzipSync(text.replace('"packageName":"p7"', '"packageName":"p8"'))],
        ["with a line too few", gzipSync([...lines.slice(0, 5), ...lines.slice(6)].join("\n"))],
        ["with something after its end", gzipSync(`${text}{}\n`)],
        ["with a line that is no advisory", gzipSync(text.replace('"links":[]', '"links":"none"'))],
      ];

      for (const [what, file] of files) {
        const importing = importDatabase({ store: to, source: inPieces(file), clock });
        await expect(importing, what).rejects.toMatchObject({ code: "malformed_feed" });
      }

      expect((await bytesOf(exportDatabase(to))).equals(before)).toBe(true);
      const staged = await to.transaction((trx) => trx.selectFrom("advisory_staging").select("run").execute());
      expect(staged).toEqual([]);
    });

    test("does not wait: an updater that is running makes it fail", async () => {
      const store = await open();
      await load(store, { now: 1_000, items: advisories.slice(0, 1) });
      const file = await bytesOf(exportDatabase(store));
      await using lock = await store.tryLock("matcher.update.debian", { clock, leaseSeconds: 60 });

      await expect(importDatabase({ store, source: inPieces(file), clock })).rejects.toMatchObject({ code: "aborted" });
      expect(lock).toBeDefined();
    });
  },
);

describe("exportToFile", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "plimsoll-snapshot-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ["advisories.json.gz", gunzipSync],
    ["advisories.json.zst", zstdDecompressSync],
    ["advisories", gunzipSync],
  ])("writes %s whole, in the compression that its name says", async (name, decompress) => {
    await using store = await openTestStore<MatcherTables>(":memory:", { migrations: [matcherMigrations] });
    await load(store, { now: 1_000, items: advisories.slice(0, 3), scores });
    const path = join(folder, name);
    await writeFile(path, "older");

    await exportToFile(store, path);

    expect(
      decompress(await readFile(path))
        .toString()
        .split("\n"),
    ).toHaveLength(8);
    expect(await readdir(folder)).toEqual([name]);
    await using other = await openTestStore<MatcherTables>(":memory:", { migrations: [matcherMigrations] });
    expect(await importFromFile(path, { store: other, clock })).toMatchObject([{ items: 3 }, { items: 2 }]);
  });

  it("leaves nothing behind when it is aborted", async () => {
    await using store = await openTestStore<MatcherTables>(":memory:", { migrations: [matcherMigrations] });
    await load(store, { now: 1_000, items: advisories.slice(0, 3) });

    await expect(exportToFile(store, join(folder, "a.gz"), AbortSignal.abort())).rejects.toMatchObject({
      code: "aborted",
    });

    expect(await readdir(folder)).toEqual([]);
  });
});
