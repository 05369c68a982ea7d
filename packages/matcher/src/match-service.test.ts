import { type Advisory, createEngine, dpkg, type IndexReport, linux } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import type { RuledVulnerabilityJson } from "@plimsoll/core/internal";
import { engineTitle, fakeUpdater, openTestStore, testAdvisory, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noFeeds } from "./fixtures/test-stores.ts";
import { createMatchService } from "./match-service.ts";
import { matcherMigrations } from "./store/migrations/all.ts";
import type { MatcherTables } from "./store/tables.ts";
import { updateFeeds } from "./update-feeds.ts";

const digestOf = (fill: string) => parseDigest(`sha256:${fill.repeat(64)}`);
const [indexed, running, failed, unknown] = ["a", "b", "c", "d"].map(digestOf) as [Digest, Digest, Digest, Digest];

const finishedReport: IndexReport = {
  manifestDigest: indexed,
  state: "IndexFinished",
  success: true,
  packages: {
    "1": {
      id: "1",
      name: "zlib1g",
      version: "1.2",
      kind: "BINARY",
      source: { id: "2", name: "zlib", version: "1.2", kind: "SOURCE" },
    },
  },
  distributions: { "1": { id: "1", did: "debian", versionId: "12" } },
  repositories: {},
  environments: {
    "1": [{ packageDb: "var/lib/dpkg/status", introducedIn: digestOf("e"), distributionId: "1", repositoryIds: [] }],
  },
  coverage: { status: "complete", layers: [], databases: [], problems: [], unassessed: [], thirdPartyPackages: 0 },
};

const reports = new Map<Digest, IndexReport>([
  [indexed, finishedReport],
  [running, { ...finishedReport, manifestDigest: running, state: "FetchLayers", success: false }],
  [failed, { ...finishedReport, manifestDigest: failed, state: "IndexError", success: false }],
]);

const none = "00000000-0000-0000-0000-000000000000";

async function listed<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "createMatchService on $title",
  ({ engine }) => {
    const skipped = engine.skip !== undefined;
    let outdatedBefore = 0;

    /** A service after updates of one feed, an hour apart; operations are `1`, `2`, … */
    async function start(...states: readonly (readonly Advisory[])[]) {
      return startWith("feed", ...states);
    }

    /** The last state is that of another updater where one is named. */
    async function startWith(last: string, ...states: readonly (readonly Advisory[])[]) {
      const database = await engine.create();
      const store = await openTestStore<MatcherTables>(database.location, { migrations: [matcherMigrations] });
      let operations = 0;
      const updater = fakeUpdater(
        "feed",
        ...states.map((items, index) => ({ kind: "snapshot" as const, fingerprint: `${index}`, items })),
      );
      for (const [index, items] of states.entries()) {
        const other = fakeUpdater(last, { kind: "snapshot", fingerprint: "other", items });
        await updateFeeds(
          { updaters: [last !== "feed" && index === states.length - 1 ? other : updater], enrichers: [] },
          {
            store,
            feeds: noFeeds,
            clock: { now: () => operations * 3_600_000 },
            createRef: () => `${++operations}`,
          },
        );
      }
      const service = createMatchService({
        store,
        outdatedBefore: () => outdatedBefore,
        engine: createEngine({ ecosystems: [linux, dpkg] }),
        reports: { find: async (digest) => reports.get(digest), relatedKeys: async (keys) => keys },
      });
      return {
        service,
        [Symbol.asyncDispose]: async () => {
          await store[Symbol.asyncDispose]();
          await database[Symbol.asyncDispose]();
        },
      };
    }

    const zlib = testAdvisory({ id: "zlib", updater: "feed", name: "CVE-1", ranges: [{ fixed: "1.3" }] });

    it.skipIf(skipped)("reports what is wrong with an indexed image", async () => {
      await using at = await start([zlib]);

      const report = await at.service.report(indexed);

      expect(Object.values(report.vulnerabilities)).toMatchObject([{ name: "CVE-1", fixedInVersion: "1.3" }]);
      expect(report.feeds).toEqual([{ ecosystem: "debian:12", covered: true, checkedAt: 0, outdated: false }]);
    });

    it.skipIf(skipped)("says that a feed was not checked for too long", async () => {
      await using at = await start([zlib]);
      outdatedBefore = 1;

      const { feeds } = await at.service.report(indexed);

      outdatedBefore = 0;
      expect(feeds).toEqual([{ ecosystem: "debian:12", covered: true, checkedAt: 0, outdated: true }]);
    });

    it.skipIf(skipped)("says that feeds are not loaded yet", async () => {
      await using at = await start();

      expect((await at.service.report(indexed)).feeds).toEqual([{ ecosystem: "debian:12", covered: false }]);
    });

    it.skipIf(skipped).each([running, failed, unknown])("has no report of %s, which is not indexed", async (digest) => {
      await using at = await start();

      await expect(at.service.report(digest)).rejects.toMatchObject({ code: "not_found" });
    });

    it.skipIf(skipped)("makes many reports in order, whatever some of them come to", async () => {
      await using at = await start([zlib]);

      const items = await listed(at.service.batch([unknown, indexed, failed, indexed]));

      expect(items.map(({ kind, digest }) => [kind, digest])).toEqual([
        ["failed", unknown],
        ["report", indexed],
        ["failed", failed],
        ["report", indexed],
      ]);
    });

    it.skipIf(skipped)("ends a batch that is given up", async () => {
      await using at = await start([zlib]);

      const batch = listed(at.service.batch([indexed], { signal: AbortSignal.abort() }));

      await expect(batch).rejects.toMatchObject({ code: "aborted" });
    });

    it.skipIf(skipped)("lists operations by updater, newest first", async () => {
      await using at = await start([zlib], [zlib, testAdvisory({ id: "b", updater: "feed" })]);
      const operation = { updater: "feed", kind: "vulnerability" };

      expect(await at.service.updateOperations()).toEqual({
        feed: [
          { ...operation, ref: "2", fingerprint: "1", date: "1970-01-01T01:00:00.000Z" },
          { ...operation, ref: "1", fingerprint: "0", date: "1970-01-01T00:00:00.000Z" },
        ],
      });
      expect((await at.service.updateOperations({ latest: true })).feed?.map(({ ref }) => ref)).toEqual(["2"]);
      expect(await at.service.updateOperations({ kind: "enrichment" })).toEqual({});
      expect(await at.service.findLatestRef()).toBe("2");
      expect(await at.service.findLatestRef("enrichment")).toBeUndefined();
    });

    it.skipIf(skipped)("tells what changed between two operations", async () => {
      const gone = testAdvisory({ id: "gone", updater: "feed" });
      const statement = testAdvisory({ id: "safe", updater: "feed", status: "not-affected" });
      const fixed = { ...zlib, ranges: [{ fixed: "1.4" }] };
      await using at = await start([zlib, gone], [fixed, statement, testAdvisory({ id: "new", updater: "feed" })]);

      const diff = await at.service.updateDiff({ prev: "1" });

      expect([diff.prev?.ref, diff.cur.ref]).toEqual(["1", "2"]);
      const [added, removed] = [await listed(diff.added), await listed(diff.removed)];
      expect(added.map(({ id, fixed_in_version }) => [id, fixed_in_version])).toEqual([
        ["new", "1.3-1"],
        ["zlib", "1.4"],
      ]);
      expect(removed.map(({ id, fixed_in_version }) => [id, fixed_in_version])).toEqual([
        ["gone", "1.3-1"],
        ["zlib", "1.3"],
      ]);
      expect(added[1]).toEqual({
        id: "zlib",
        updater: "feed",
        name: "CVE-1",
        normalized_severity: "Unknown",
        package: { name: "zlib", version: "", kind: "SOURCE" },
        distribution: { id: "debian:12", did: "debian", version_id: "12" },
        fixed_in_version: "1.4",
        range: { ")": "1.4" },
        rule: { ecosystem: "debian:12", ranges: [{ fixed: "1.4" }], versions: [] },
      });
    });

    it.skipIf(skipped)("refuses to compare operations of different updaters", async () => {
      await using at = await startWith("other", [zlib], [{ ...zlib, updater: "other" }]);

      for (const refs of [
        { prev: "1", cur: "2" },
        { prev: "2", cur: "1" },
      ]) {
        await expect(at.service.updateDiff(refs)).rejects.toMatchObject({ code: "incomparable_operations" });
      }
      expect((await at.service.updateDiff({ prev: "1" })).cur.ref).toBe("1");
    });

    it.skipIf(skipped)("gives every advisory that affects what changed, of any updater, in a group", async () => {
      const other = testAdvisory({ id: "other", updater: "feed", name: "CVE-2", packageName: "expat" });
      const safe = testAdvisory({ ...zlib, id: "safe", status: "not-affected", ranges: [{}] });
      const unsure = testAdvisory({ ...zlib, id: "unsure", status: "undetermined" });
      await using at = await start([zlib, other], [zlib, other, safe, unsure]);

      const diff = await at.service.updateDiff({ prev: "1", scope: "related" });

      const told = (items: readonly RuledVulnerabilityJson[]) =>
        items.map(({ id, rule }) => [id, rule.status, rule.group]);
      expect(told(await listed(diff.added))).toEqual([
        ["safe", "not-affected", "0"],
        ["zlib", undefined, "0"],
      ]);
      expect(told(await listed(diff.removed))).toEqual([["zlib", undefined, "0"]]);
    });

    it.skipIf(skipped)("takes zeros for the time before the first operation", async () => {
      await using at = await start([zlib], [zlib]);

      const diff = await at.service.updateDiff({ prev: none, cur: "1" });

      expect(diff.prev).toBeUndefined();
      expect((await listed(diff.added)).map(({ id }) => id)).toEqual(["zlib"]);
      expect(await listed(diff.removed)).toEqual([]);
    });

    it.skipIf(skipped)("finds nothing changed between an operation and itself", async () => {
      await using at = await start([zlib]);

      const { added, removed } = await at.service.updateDiff({ prev: "1", cur: "1" });

      expect([await listed(added), await listed(removed)]).toEqual([[], []]);
    });

    it
      .skipIf(skipped)
      .each([
        { prev: "9" },
        { prev: "1", cur: "9" },
        { prev: "9", cur: "1" },
        { prev: none },
        { prev: none, cur: "9" },
      ])("does not compare what is not there: %j", async (refs) => {
      await using at = await start([zlib]);

      await expect(at.service.updateDiff(refs)).rejects.toMatchObject({ code: "not_found" });
    });

    it.skipIf(skipped)("forgets an operation", async () => {
      await using at = await start([zlib], []);

      expect(await at.service.deleteUpdateOperation("1")).toBe(true);
      expect(await at.service.deleteUpdateOperation("1")).toBe(false);
      await expect(at.service.updateDiff({ prev: "1" })).rejects.toMatchObject({ code: "not_found" });
    });
  },
);
