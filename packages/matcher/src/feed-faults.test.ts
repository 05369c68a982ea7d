import { gzipSync, zstdCompressSync } from "node:zlib";
import { allEcosystems, allEnrichers, allUpdaters, createEngine } from "@plimsoll/core";
import type { Updater } from "@plimsoll/core/plugins";
import { testEngines } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseFeeds, feedNames } from "./choose-feeds.ts";
import { documentReader } from "./fixtures/document-reader.ts";
import { documentOf, poisonedDocument, type SampleFeed, sampleDocument, sampleFeeds } from "./fixtures/sample-feeds.ts";
import { openEmptyStore } from "./fixtures/test-stores.ts";
import { advisoriesOf } from "./store/advisories.ts";
import { listFailedUpdates } from "./store/failed-updates.ts";
import { listFeeds } from "./store/feed-status.ts";
import type { MatcherStore } from "./store/tables.ts";
import { updateFeeds } from "./update-feeds.ts";

const engine = createEngine({ ecosystems: allEcosystems });
const page = "<!doctype html>\n<html><body><h1>Sign in</h1></body></html>\n";
const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>';

/** Faults of a document as a whole: nothing of it is taken. */
const wholeFaults: readonly (readonly [what: string, damage: (text: string, form: SampleFeed["form"]) => string])[] = [
  ["is cut off", (text) => text.slice(0, Math.max(1, Math.floor(text.length * 0.4)))],
  ["is a page", () => page],
  ["is empty", () => ""],
  ["has bytes that are no text", (text) => `\u0000\u0001${text}`],
  ["has entities", (text, form) => (form === "xml" ? text.replace(/^<\?xml[^>]*>/, `$&${bomb}`) : `${bomb}<x>&b;</x>`)],
];

/** Of a site whose page leads nowhere, the documents are not found. */
const foreseen = expect.stringMatching(/^(?:malformed_feed|not_found)$/);

const [sqlite] = testEngines;
if (sqlite === undefined) throw new Error("expected an engine");
const names = feedNames(engine);
const samples = Object.entries(sampleFeeds).map(([name, sample]) => ({ name, sample }));

function sampleOf(name: string): Uint8Array {
  const found = sampleFeeds[name];
  if (found === undefined) throw new Error(`no sample of ${name}`);
  return sampleDocument(found);
}

describe("faults of feeds", () => {
  let stack: AsyncDisposableStack;
  let store: MatcherStore;
  let now = 0;
  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    store = await openEmptyStore(sqlite, stack);
    now = 1_000;
  });
  afterEach(() => stack.disposeAsync());

  const update = async (name: string, document: string | Uint8Array) => {
    const chosen = chooseFeeds(engine, { only: [name] });
    const feeds = () => documentReader(Buffer.from(document));
    const [result] = await updateFeeds(chosen, { store, feeds, clock: { now: () => now } });
    return result;
  };
  const rows = async () =>
    (await listFeeds(store)).map((feed) => ({ name: feed.name, rows: feed.rows, checkedAt: feed.checkedAt }));

  it("are tried with every feed", () => {
    expect(Object.keys(sampleFeeds).sort()).toEqual([...names].sort());
    expect(
      new Set(
        [...allUpdaters, ...allEnrichers.map(({ updater }) => updater as Updater<unknown>)].map(({ name }) => name),
      ),
    ).toEqual(new Set(names));
  });

  it.each([
    ["alma", "osv", "it has records of OSV, which the feed osv reads"],
    ["redhat", "osv", "it has records of OSV, which the feed osv reads"],
    ["arch", "alma", "it has errata of AlmaLinux, which the feed alma reads"],
    ["debian", "arch", "it has vulnerability groups of Arch Linux, which the feed arch reads"],
    ["arch", "debian", "it has the Debian security tracker, which the feed debian reads"],
    ["debian", "alpine", "it has security databases of apk, which the feeds alpine, chainguard, wolfi read"],
    ["alma", "rocky", "it has updates of an rpm repository, which the feeds amazon, bottlerocket, fedora, rocky read"],
    ["rocky", "oracle", "it has OVAL, which the feeds azurelinux, oracle, photon, redhat, suse, ubuntu read"],
  ])("of %s name the feed that reads the document: that of %s", async (name, other, message) => {
    const result = await update(name, sampleOf(other));

    expect(result).toMatchObject({ kind: "failed", error: { message: expect.stringContaining(message) } });
  });

  it("name no other feed for a broken document of the feed's own", async () => {
    const text = Buffer.from(sampleOf("alma")).toString();
    const result = await update("alma", text.slice(0, text.length / 2));

    expect(result).toMatchObject({ kind: "failed", error: { message: expect.not.stringContaining("which the feed") } });
  });

  describe.each(samples)("$name", ({ name, sample }) => {
    it.each([
      ["gzip", gzipSync],
      ["Zstandard", zstdCompressSync],
    ])("is none of a document that is compressed with %s", async (_, compress) => {
      const document = sampleDocument(sample);
      await update(name, document);
      const before = await rows();

      const result = await update(name, compress(document));

      expect(result?.kind).not.toBe("failed");
      expect(await rows()).toEqual(before);
      expect(before).toEqual([expect.objectContaining({ name, rows: expect.toSatisfy((count) => count > 0) })]);
    });

    it.each(wholeFaults)("keeps what it has where a document %s", async (_, damage) => {
      await update(name, sampleDocument(sample));
      const before = await rows();
      now = 2_000;

      const whole = Buffer.from(sampleDocument(sample)).toString("latin1");
      const result = await update(name, Buffer.from(damage(whole, sample.form), "latin1"));

      expect(before).toMatchObject([{ name, checkedAt: 1_000 }]);
      expect(before[0]?.rows).toBeGreaterThan(0);
      expect(result).toMatchObject({ updater: name, kind: "failed", error: { code: foreseen } });
      expect(await rows()).toEqual(before);
      expect(await listFailedUpdates(store)).toEqual([
        { updater: name, failedAt: 2_000, code: foreseen, message: expect.stringMatching(/\S/) },
      ]);
    });

    it("loses one poisoned record, tells it and keeps the others", async () => {
      const result = await update(name, poisonedDocument(sample));

      expect(result).toMatchObject({ updater: name, kind: "updated", dropped: { count: 1 } });
      expect((await listFeeds(store))[0]?.rows).toBeGreaterThan(0);
      expect((await listFeeds(store))[0]?.dropped.first).toHaveLength(1);
    });

    it.each([
      ["no record", []],
      ["no record that can be read", [sample.poisoned]],
    ])("is not loaded from a document with %s", async (_, records) => {
      const result = await update(name, documentOf(sample, records));

      expect(result).toMatchObject({ updater: name, kind: "failed", error: { code: "malformed_feed" } });
      expect(await rows()).toEqual([]);
      expect(await listFailedUpdates(store)).toHaveLength(1);
    });

    it("forgets the failure when an update succeeds", async () => {
      await update(name, page);
      expect(await listFailedUpdates(store)).toHaveLength(1);

      await update(name, sampleDocument(sample));

      expect(await listFailedUpdates(store)).toEqual([]);
    });
  });

  it("is told by the coverage of the ecosystem, with the age of what is there", async () => {
    const debian = sampleFeeds.debian as SampleFeed;
    await update("debian", sampleDocument(debian));
    now = 2_000;
    await update("debian", page);

    const feeds = await advisoriesOf(store).coverage(["debian:12", "debian:11"]);

    expect(feeds).toEqual([
      {
        ecosystem: "debian:12",
        covered: true,
        checkedAt: 1_000,
        failure: expect.stringMatching(/^debian: \S/),
      },
      { ecosystem: "debian:11", covered: false },
    ]);
  });
});
