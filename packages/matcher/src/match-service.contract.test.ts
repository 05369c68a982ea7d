import { type Advisory, createEngine, dpkg, type IndexReport, linux } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import { toVulnerabilityReportJson } from "@plimsoll/core/report";
import {
  engineTitle,
  fakeUpdater,
  type MatchServiceSubject,
  matchServiceContract,
  openTestStore,
  testAdvisory,
  testEngines,
} from "@plimsoll/testing";
import { describe, it } from "vitest";
import { noFeeds } from "./fixtures/test-stores.ts";
import { createMatchService, type MatchService } from "./match-service.ts";
import { matcherMigrations } from "./store/migrations/all.ts";
import type { MatcherStore, MatcherTables } from "./store/tables.ts";
import { updateFeeds } from "./update-feeds.ts";

const [indexed, unknown] = [parseDigest(`sha256:${"a".repeat(64)}`), parseDigest(`sha256:${"d".repeat(64)}`)];

const report: IndexReport = {
  manifestDigest: indexed,
  state: "IndexFinished",
  success: true,
  packages: { "1": { id: "1", name: "zlib", version: "1.2", kind: "BINARY" } },
  distributions: { "1": { id: "1", did: "debian", versionId: "12" } },
  repositories: {},
  environments: { "1": [{ packageDb: "db", introducedIn: unknown, distributionId: "1", repositoryIds: [] }] },
  coverage: { status: "complete", layers: [], databases: [], problems: [], unassessed: [], thirdPartyPackages: 0 },
};

const of = (name: string, more: Partial<Advisory> = {}) =>
  testAdvisory({ id: `${name}/${more.packageName}`, updater: "debian", name, ranges: [{}], ...more });
const [first, second] = ["CVE-2024-0001", "CVE-2024-0002"] as const;
const said = [
  [of(first, { ranges: [{ fixed: "1.3" }] })],
  [of(first, { ranges: [{ fixed: "1.4" }] }), of(second), of(second, { packageName: "expat" })],
];

async function loadFeeds(store: MatcherStore): Promise<void> {
  const answers = said.map((items, at) => ({ kind: "snapshot", fingerprint: `f${at}`, items }) as const);
  const updater = fakeUpdater("debian", ...answers);
  for (const now of said.keys()) {
    await updateFeeds(
      { updaters: [updater], enrichers: [] },
      {
        store,
        feeds: noFeeds,
        clock: { now: () => now },
      },
    );
  }
}

async function listed<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function subjectOf(service: MatchService): MatchServiceSubject {
  return {
    report: async (digest) => toVulnerabilityReportJson(await service.report(digest)),
    async batch(digests) {
      const items = await listed(service.batch(digests));
      return items.map((item) => [
        item.digest,
        item.kind === "report" ? toVulnerabilityReportJson(item.report) : undefined,
      ]);
    },
    updateOperations: (query) => service.updateOperations(query),
    async updateDiff(refs) {
      const { added, removed, ...operations } = await service.updateDiff(refs);
      return { ...operations, added: await listed(added), removed: await listed(removed) };
    },
    deleteUpdateOperation: (ref) => service.deleteUpdateOperation(ref),
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "createMatchService on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each([...matchServiceContract])("$name", async ({ run }) => {
      await using database = await engine.create();
      await using store = await openTestStore<MatcherTables>(database.location, { migrations: [matcherMigrations] });
      await loadFeeds(store);
      const service = createMatchService({
        store,
        engine: createEngine({ ecosystems: [linux, dpkg] }),
        reports: {
          find: async (digest) => (digest === indexed ? report : undefined),
          relatedKeys: async (keys) => keys.filter(({ name }) => name === "zlib"),
        },
      });

      await run({ matcher: subjectOf(service), indexed, unknown });
    });
  },
);
