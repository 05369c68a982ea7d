import { dpkg, type IndexReport } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import { fakeUpdater, openTestStore, testAdvisory } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noFeeds } from "./fixtures/test-stores.ts";
import { matchManifest } from "./match-manifest.ts";
import { matcherMigrations } from "./store/migrations/all.ts";
import type { MatcherTables } from "./store/tables.ts";
import { updateFeeds } from "./update-feeds.ts";

const digest = parseDigest(`sha256:${"0".repeat(64)}`);

const indexReport: IndexReport = {
  manifestDigest: digest,
  state: "IndexFinished",
  success: true,
  packages: {
    "1": {
      id: "1",
      name: "zlib1g",
      version: "1:1.2.13-1",
      kind: "BINARY",
      source: { id: "2", name: "zlib", version: "1:1.2.13-1", kind: "SOURCE" },
    },
  },
  distributions: { "1": { id: "1", did: "debian", versionId: "12" } },
  repositories: {},
  environments: {
    "1": [{ packageDb: "var/lib/dpkg/status", introducedIn: digest, distributionId: "1", repositoryIds: [] }],
  },
  coverage: { status: "complete", layers: [], databases: [], problems: [], unassessed: [], thirdPartyPackages: 0 },
};

describe("matchManifest", () => {
  it("reports what the store's advisories say, now and as of then, with the facts of enrichers", async () => {
    await using store = await openTestStore<MatcherTables>(":memory:", { migrations: [matcherMigrations] });
    const snapshot = <Item>(fingerprint: string, items: readonly Item[]) =>
      ({ kind: "snapshot", fingerprint, items }) as const;
    const advisory = testAdvisory({ id: "a", name: "CVE-2024-1", ranges: [{ fixed: "1:1.3-1" }] });
    const debian = fakeUpdater(
      "debian",
      snapshot("1", [advisory]),
      snapshot("2", [{ ...advisory, ranges: [{ fixed: "1:1.2-1" }] }]),
    );
    const scores = fakeUpdater("scores", snapshot("1", [{ tags: ["CVE-2024-1"], record: 0.5 }]));
    const enricher = {
      name: "epss",
      type: "epss",
      updater: scores,
      tags: ({ name }: { readonly name: string }) => [name],
      enrich: (_: unknown, records: readonly { readonly record: unknown }[]) => records.length,
    };
    const update = (now: number, enrichers: readonly (typeof enricher)[]) =>
      updateFeeds(
        { updaters: [debian], enrichers },
        {
          store,
          feeds: noFeeds,
          clock: { now: () => now },
        },
      );
    await update(1_000, [enricher]);
    const other = { ...enricher, name: "kev", type: "kev", updater: { ...scores, name: "exploits" } };
    const engine = { matchers: dpkg.matchers, enrichers: [enricher, other] };

    const before = await matchManifest(indexReport, { engine, store });
    await update(2_000, []);
    const after = await matchManifest(indexReport, { engine, store });
    const then = await matchManifest(indexReport, { engine, store, asOf: 1_500 });

    expect(Object.values(before.vulnerabilities).map(({ name, fixedInVersion }) => [name, fixedInVersion])).toEqual([
      ["CVE-2024-1", "1:1.3-1"],
    ]);
    expect(Object.keys(before.enrichments)).toEqual(["epss"]);
    expect(before.enrichers).toEqual([
      { enricher: "epss", type: "epss", loaded: true, checkedAt: 1_000 },
      { enricher: "kev", type: "kev", loaded: false },
    ]);
    expect(before.feeds).toEqual([{ ecosystem: "debian:12", covered: true, checkedAt: 1_000 }]);
    expect(after.vulnerabilities).toEqual({});
    expect(Object.keys(then.vulnerabilities)).toHaveLength(1);
  });
});
