import {
  type Advisory,
  advisorySourceOf,
  allEcosystems,
  createEngine,
  type IndexReport,
  matchReport,
} from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { toRuledVulnerabilityJson } from "@plimsoll/core/internal";
import { indexRecords, matchRecords } from "@plimsoll/core/match";
import type { Json } from "@plimsoll/core/report";
import { engineTitle, openTestStore, testAdvisory, testEngines } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AffectedManifestsJson, findAffectedManifests } from "./affected-manifests.ts";
import { indexerMigrations } from "./store/migrations/all.ts";
import { putFinished } from "./store/put-finished.ts";
import { beginRun } from "./store/runs.ts";
import type { IndexerStore, IndexerTables } from "./store/tables.ts";
import { formatReport } from "./values/format-report.ts";
import { recordsToIndex } from "./values/indexed-records.ts";

const engine = createEngine({ ecosystems: allEcosystems });
const layer = parseDigest(`sha256:${"f".repeat(64)}`);
const digestOf = (index: number): Digest => parseDigest(`sha256:${index.toString(16).padStart(64, "0")}`);

/** A package of an image: the binary, its version, and the source where it has another name. */
interface TestPackage {
  readonly name: string;
  readonly version: string;
  readonly source?: string;
  readonly thirdParty?: boolean;
}

function reportOf(index: number, release: string, packages: readonly TestPackage[]): IndexReport {
  const [did = "", versionId = ""] = release.split(":");
  const ids = packages.map((_, at) => String(at + 1));
  const found = packages.map(({ name, version, source }, at) => ({
    id: ids[at] ?? "",
    name,
    version,
    kind: "BINARY" as const,
    arch: "amd64",
    source: source === undefined ? undefined : { id: `${at}s`, name: source, version, kind: "SOURCE" as const },
  }));
  const environments = packages.map(({ thirdParty = false }) => [
    { packageDb: "db", introducedIn: layer, distributionId: "1", repositoryIds: thirdParty ? ["1"] : [] },
  ]);
  return {
    manifestDigest: digestOf(index),
    state: "IndexFinished",
    success: true,
    packages: Object.fromEntries(found.map((each) => [each.id, each])),
    distributions: { "1": { id: "1", did, versionId } },
    repositories: { "1": { id: "1", key: "third-party", name: "somebody" } },
    environments: Object.fromEntries(environments.map((each, at) => [ids[at] ?? "", each])),
    coverage: { status: "complete", layers: [], databases: [], problems: [], unassessed: [], thirdPartyPackages: 0 },
  };
}

async function putReport(store: IndexerStore, report: IndexReport): Promise<void> {
  const manifest = { digest: report.manifestDigest, layers: [] };
  await beginRun(store, { id: "run", manifest, attempts: 1, at: 1 });
  const records = recordsToIndex(engine, report);
  const { manifestDigest } = report;
  const finished = {
    manifestDigest,
    report: formatReport(report),
    engineState: engine.state,
    layers: [layer],
    records,
  };
  await putFinished(store, { ...finished, at: 1, run: "run", lock: "lock" });
}

const affectedBy = (store: IndexerStore, json: Json) => findAffectedManifests({ engine, store }, json);

const asJson = (advisories: readonly Advisory[]): Json =>
  JSON.parse(JSON.stringify(advisories.map(toRuledVulnerabilityJson)));

/** Matches every image against every advisory on its own. */
async function bruteForce(reports: readonly IndexReport[], advisories: readonly Advisory[]) {
  const affected: Record<string, string[]> = {};
  for (const report of reports) {
    const ids: string[] = [];
    for (const advisory of advisories) {
      const { vulnerabilities } = await matchReport(engine, report, { advisories: advisorySourceOf([advisory]) });
      if (Object.keys(vulnerabilities).length > 0) ids.push(advisory.id);
    }
    if (ids.length > 0) affected[report.manifestDigest] = ids.sort();
  }
  return affected;
}

/** Matches every image against all advisories. */
function matchEach(reports: readonly IndexReport[], advisories: readonly Advisory[]) {
  const affected: Record<string, string[]> = {};
  for (const report of reports) {
    const found = matchRecords(engine.matchers, { records: indexRecords(report), advisories });
    const ids = new Set(found.affected.map(({ advisory }) => advisory.id));
    if (ids.size > 0) affected[report.manifestDigest] = [...ids].sort();
  }
  return affected;
}

function asGroup(advisories: readonly Advisory[]): Json {
  const group = advisories.map(toRuledVulnerabilityJson).map((one) => ({ ...one, rule: { ...one.rule, group: "1" } }));
  return JSON.parse(JSON.stringify(group));
}

function sorted({ vulnerable_manifests }: AffectedManifestsJson): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(vulnerable_manifests).map(([digest, ids]) => [digest, ids.toSorted()]));
}

/** More names than one statement takes. No two advisories speak of the same package, so none settles what another says. */
function manyImages() {
  const reports = Array.from({ length: 4 }, (_, index) =>
    reportOf(
      index,
      `debian:${11 + (index % 2)}`,
      Array.from({ length: 300 }, (_, at) => ({
        name: `package-${(index * 250 + at) % 1200}`,
        version: `1.${(index + at) % 7}-1`,
      })),
    ),
  );
  const advisories = Array.from({ length: 1200 }, (_, index) =>
    testAdvisory({
      id: `a/${index}`,
      ecosystem: `debian:${11 + (index % 2)}`,
      packageName: `package-${index}`,
      packageKind: index % 3 === 0 ? "SOURCE" : "BINARY",
      ranges: index % 5 === 0 ? [{ introduced: "1.2", lastAffected: "1.4-1" }] : [{ fixed: `1.${index % 6}-1` }],
    }),
  );
  return { reports, advisories };
}

describe.each(testEngines.map((database) => ({ database, title: engineTitle(database) })))(
  "findAffectedManifests on $title",
  ({ database: testEngine }) => {
    const skipped = testEngine.skip !== undefined;

    async function start(...reports: readonly IndexReport[]) {
      const database = await testEngine.create();
      const store = await openTestStore<IndexerTables>(database.location, { migrations: [indexerMigrations] });
      for (const report of reports) await putReport(store, report);
      return {
        store,
        [Symbol.asyncDispose]: async () => {
          await store[Symbol.asyncDispose]();
          await database[Symbol.asyncDispose]();
        },
      };
    }

    const old = reportOf(1, "debian:12", [{ name: "zlib1g", version: "1.2", source: "zlib" }]);
    const fixed = reportOf(2, "debian:12", [{ name: "zlib1g", version: "1.4", source: "zlib" }]);
    const elsewhere = reportOf(3, "debian:11", [{ name: "zlib1g", version: "1.2", source: "zlib" }]);
    const foreign = reportOf(4, "debian:12", [{ name: "zlib1g", version: "1.2", source: "zlib", thirdParty: true }]);
    const images = [old, fixed, elsewhere, foreign];
    const summary = {
      name: "CVE-1",
      normalized_severity: "High",
      fixed_in_version: "1.3",
      package: { name: "zlib", version: "", kind: "source" },
      distribution: { id: "0", did: "debian", version_id: "12" },
    };

    it.skipIf(skipped).each<[string, Json, readonly number[]]>([
      ["a fix", summary, [1]],
      ["a range", { ...summary, fixed_in_version: "", range: { "[": "1.3", ")": "1.5" } }, [2]],
      ["no version", { ...summary, fixed_in_version: "" }, [1, 2]],
      ["no kind of package", { ...summary, package: { name: "zlib", version: "" } }, [1]],
      ["the binary", { ...summary, package: { name: "zlib1g", version: "", kind: "BINARY" } }, [1]],
      ["a binary of the source's name", { ...summary, package: { name: "zlib", version: "", kind: "BINARY" } }, []],
      ["another release", { ...summary, distribution: { id: "0", did: "debian", version_id: "11" } }, [3]],
      ["an unknown release", { ...summary, distribution: { id: "0", did: "plan9" } }, []],
      ["no release", { ...summary, distribution: null }, []],
      ["a release alone", { ...summary, package: null }, [1, 2, 4]],
      ["another release alone", { ...summary, package: null, distribution: { did: "debian", version_id: "11" } }, [3]],
      ["a release that no image has", { ...summary, package: null, distribution: { did: "plan9" } }, []],
      ["a release that says nothing", { ...summary, package: null, distribution: { id: "1" } }, []],
      [
        "a repository alone",
        { ...summary, package: null, distribution: null, repository: { key: "third-party" } },
        [4],
      ],
      [
        "a release and a repository that it lacks",
        { ...summary, package: null, repository: { key: "third-party", name: "x" } },
        [],
      ],
      ["a package that no image has", { ...summary, package: { name: "nothing\nat\u0000all", version: "" } }, []],
      ["another architecture", { ...summary, package: { name: "zlib", arch: "s390x" }, arch_op: "equals" }, []],
    ])("finds the images of a summary with %s", async (_, json, expected) => {
      await using at = await start(...images);

      const found = await affectedBy(at.store, [json]);

      expect(Object.keys(found.vulnerable_manifests)).toEqual(expected.map(digestOf));
      expect(Object.keys(found.vulnerabilities)).toHaveLength(1);
    });

    it.skipIf(skipped)(
      "takes the wrapped form, and gives what has no id one that depends only on its content",
      async () => {
        await using at = await start(...images);
        const { name, ...others } = summary;

        const bare = await affectedBy(at.store, [summary, { ...summary, name: "CVE-2" }]);
        const wrapped = await affectedBy(at.store, {
          vulnerabilities: [
            { ...others, name },
            { ...summary, name: "CVE-2" },
          ],
        });

        expect(wrapped).toEqual(bare);
        const ids = Object.keys(bare.vulnerabilities);
        expect(ids).toHaveLength(2);
        expect(bare.vulnerable_manifests[digestOf(1)]?.toSorted()).toEqual(ids.toSorted());
        expect(Object.values(bare.vulnerabilities)).toMatchObject([{ ...summary, id: ids[0] }, { id: ids[1] }]);
      },
    );

    it.skipIf(skipped)("lists the worst first", async () => {
      await using at = await start(...images);
      const severities = ["Low", "Critical", "Unknown", "High"];
      const summaries = severities.map((severity) => ({ ...summary, id: severity, normalized_severity: severity }));

      const found = await affectedBy(at.store, summaries);

      expect(found.vulnerable_manifests[digestOf(1)]).toEqual(["Critical", "High", "Low", "Unknown"]);
    });

    it.skipIf(skipped)(
      "looks at nothing but the package versions under the keys of what it is given, each once",
      async () => {
        const judged: string[] = [];
        const matchers = engine.matchers.map((matcher) => ({
          ...matcher,
          judge: (...[record, advisory]: Parameters<typeof matcher.judge>) => {
            judged.push(`${record.package.name} ${record.package.version}`);
            return matcher.judge(record, advisory);
          },
        }));
        const packages = Array.from({ length: 100 }, (_, at) => ({ name: `package-${at}`, version: "1" }));
        const copies = [1, 2, 3].map((index) => reportOf(index, "debian:12", packages));
        await using at = await start(...copies, reportOf(4, "debian:12", [{ name: "package-7", version: "2" }]));

        const advisory = testAdvisory({ id: "a", packageName: "package-7", packageKind: "BINARY", ranges: [{}] });
        const found = await findAffectedManifests(
          { engine: { ...engine, matchers }, store: at.store },
          asJson([advisory]),
        );

        expect(judged.toSorted()).toEqual(["package-7 1", "package-7 2"]);
        expect(Object.keys(found.vulnerable_manifests)).toEqual([1, 2, 3, 4].map(digestOf));
      },
    );

    it.skipIf(skipped)("finds an image of a release that has no packages", async () => {
      await using at = await start(reportOf(1, "debian:12", []), reportOf(2, "debian:11", []));
      const { package: _, ...release } = summary;

      const found = await affectedBy(at.store, [release]);

      expect(Object.keys(found.vulnerable_manifests)).toEqual([digestOf(1)]);
    });

    it.skipIf(skipped).each<[string, Json, readonly number[]]>([
      ["as advisories name it", { id: "alpine:3.18", did: "alpine", version_id: "3.18" }, [1, 3]],
      ["as an image has it", { id: "1", did: "alpine", version_id: "3.18.0" }, [1, 3]],
      ["as another point release", { id: "1", did: "alpine", version_id: "3.18.9" }, [1, 3]],
      ["by the part of its version that advisories are for", { id: "redhat:9", did: "rhel", version_id: "9" }, [4]],
      ["without a version", { id: "1", did: "alpine" }, [1, 2, 3]],
      ["on another machine", { id: "1", did: "alpine", version_id: "3.18", arch: "s390x" }, []],
      ["that no image has", { id: "alpine:3.17", did: "alpine", version_id: "3.17" }, []],
    ])("finds the images of a release %s", async (_, distribution, expected) => {
      const packages = [{ name: "zlib", version: "1.2" }];
      const releases = ["alpine:3.18.0", "alpine:3.19.1"].map((release, at) => reportOf(at + 1, release, packages));
      await using at = await start(...releases, reportOf(3, "alpine:3.18.4", []), reportOf(4, "rhel:9.4", packages));

      const found = await affectedBy(at.store, [{ name: "CVE-1", distribution, repository: {} }]);

      expect(Object.keys(found.vulnerable_manifests)).toEqual(expected.map(digestOf));
    });

    it.skipIf(skipped)("forgets what an image had before it was indexed again", async () => {
      await using at = await start(...images, { ...fixed, manifestDigest: old.manifestDigest });

      expect((await affectedBy(at.store, [summary])).vulnerable_manifests).toEqual({});
    });

    it.skipIf(skipped)("finds what matching every image on its own finds, for hundreds of packages", async () => {
      const { reports, advisories } = manyImages();
      await using at = await start(...reports);

      const found = await affectedBy(at.store, asJson(advisories));

      const expected = matchEach(reports, advisories);
      expect(sorted(found)).toEqual(expected);
      expect(Object.keys(expected)).toHaveLength(reports.length);
    });
  },
);

describe("findAffectedManifests", () => {
  it("lets other work run between some of many vulnerabilities", async () => {
    await using store: IndexerStore = await openTestStore<IndexerTables>(":memory:", {
      migrations: [indexerMigrations],
    });
    const summaries = Array.from({ length: 2_000 }, (_, index) => ({
      name: `CVE-${index}`,
      normalized_severity: "High",
      package: { name: `p${index}`, version: "", kind: "SOURCE" },
      distribution: { id: "", did: "debian", version_id: "12" },
      fixed_in_version: "1",
    }));
    let yields = 0;
    const yieldToOthers = async () => void yields++;

    const found = await findAffectedManifests({ engine, store, yieldToOthers }, summaries);

    expect(Object.keys(found.vulnerabilities)).toHaveLength(2_000);
    expect(yields).toBe(20);
  });

  it.each<[string, Json]>([
    ["a text", "x"],
    ["an empty object", {}],
    ["vulnerabilities that are none", { vulnerabilities: {} }],
    ["a summary that is a text", ["x"]],
    ["a summary without name", [{ normalized_severity: "High" }]],
    ["an unknown severity", [{ name: "a", normalized_severity: "Terrible" }]],
    ["an unknown kind", [{ name: "a", package: { name: "b", kind: "OTHER" } }]],
    ["an unknown comparison", [{ name: "a", package: { name: "b", arch: "c" }, arch_op: "like" }]],
    ["a package without name", [{ name: "a", package: {} }]],
    ["a broken rule", [{ name: "a", package: { name: "b" }, rule: { ecosystem: 1 } }]],
    ["a summary that speaks of nothing", [{ name: "a", normalized_severity: "High" }]],
    ["an empty distribution", [{ name: "a", distribution: {} }]],
    ["an empty repository", [{ name: "a", repository: {} }]],
    [
      "empty objects and texts",
      [{ name: "a", package: { name: "", kind: "BINARY" }, distribution: { id: "" }, repository: {} }],
    ],
    ["a summary of nulls", [{ name: "a", package: null, distribution: null, repository: null }]],
  ])("refuses %s", async (_, json) => {
    await using store = await openTestStore<IndexerTables>(":memory:", { migrations: [indexerMigrations] });

    await expect(affectedBy(store, json)).rejects.toMatchObject({ code: "malformed_summary" });
  });

  it("finds exactly the images that matching each on its own finds", async () => {
    const names = fc.constantFrom("a", "b", "c");
    const versions = fc.constantFrom("1", "2", "2+x", "3", "");
    const releases = fc.constantFrom("debian:12", "ubuntu:22.04", "alpine:3.20", "debian:x");
    const packages = fc.array(
      fc.record(
        { name: names, version: versions, source: names, thirdParty: fc.boolean() },
        { requiredKeys: ["name", "version"] },
      ),
      { maxLength: 3 },
    );
    const bounds = fc.record({ introduced: versions, fixed: versions, lastAffected: versions }, { requiredKeys: [] });
    const advisories = fc.record({
      packageName: names,
      ecosystem: fc.constantFrom("debian:12", "ubuntu:22.04", "alpine:3.20"),
      packageKind: fc.constantFrom("BINARY" as const, "SOURCE" as const),
      ranges: fc.array(bounds, { maxLength: 2 }),
      versions: fc.array(versions, { maxLength: 1 }),
    });
    const world = fc.record({
      images: fc.array(fc.tuple(releases, packages), { maxLength: 4 }),
      rules: fc.array(advisories, { maxLength: 4 }),
    });

    await fc.assert(
      fc.asyncProperty(world, async ({ images, rules }) => {
        await using store = await openTestStore<IndexerTables>(":memory:", { migrations: [indexerMigrations] });
        const reports = images.map(([release, found], index) => reportOf(index, release, found));
        for (const report of reports) await putReport(store, report);
        const given = rules.map((rule, index) => testAdvisory({ ...rule, id: `id/${index}` }));

        expect(sorted(await affectedBy(store, asJson(given)))).toEqual(await bruteForce(reports, given));
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it("settles the statements of a group as the report of each image does", async () => {
    const names = fc.constantFrom("a", "b");
    const packages = fc.array(fc.record({ name: names, version: fc.constantFrom("1", "2"), source: names }), {
      maxLength: 3,
    });
    const cves = fc.constantFrom("CVE-2024-0001", "CVE-2024-0002", "GHSA-1");
    const statements = fc.record({
      name: cves,
      aliases: fc.uniqueArray(cves, { maxLength: 2 }),
      updater: fc.constantFrom("debian", "osv"),
      status: fc.constantFrom(
        "affected" as const,
        "affected" as const,
        "not-affected" as const,
        "undetermined" as const,
      ),
      packageName: names,
      packageKind: fc.constantFrom("BINARY" as const, "SOURCE" as const),
      ranges: fc.constantFrom([{}], [{ fixed: "2" }], [{ fixed: "3" }], [{ introduced: "2" }]),
    });
    const world = fc.record({
      images: fc.array(packages, { maxLength: 3 }),
      rules: fc.array(statements, { maxLength: 6 }),
    });

    await fc.assert(
      fc.asyncProperty(world, async ({ images, rules }) => {
        await using store = await openTestStore<IndexerTables>(":memory:", { migrations: [indexerMigrations] });
        const reports = images.map((found, index) => reportOf(index, "debian:12", found));
        for (const report of reports) await putReport(store, report);
        const given = rules.map((rule, index) => testAdvisory({ ...rule, id: `${rule.updater}/${index}` }));

        expect(sorted(await affectedBy(store, asGroup(given)))).toEqual(matchEach(reports, given));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
