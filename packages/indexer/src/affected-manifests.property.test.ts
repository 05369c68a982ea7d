/** Reports, explanations and the reverse index judge by one function: what one finds, the others find. */
import {
  type Advisory,
  advisorySourceOf,
  allEcosystems,
  allEnrichers,
  createEngine,
  type IndexReport,
  matchReport,
  type Package,
  type VulnerabilityReport,
} from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import { distributionPackageKey, toRuledVulnerabilityJson } from "@plimsoll/core/internal";
import { explainReport } from "@plimsoll/core/match";
import type { Json } from "@plimsoll/core/report";
import { fullTestRuns, openTestStore, testAdvisory } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAffectedManifests } from "./affected-manifests.ts";
import { indexerMigrations } from "./store/migrations/all.ts";
import { putFinished } from "./store/put-finished.ts";
import { beginRun } from "./store/runs.ts";
import type { IndexerStore, IndexerTables } from "./store/tables.ts";
import { formatReport } from "./values/format-report.ts";
import { recordsToIndex } from "./values/indexed-records.ts";

const engine = createEngine({ ecosystems: allEcosystems, enrichers: allEnrichers });
const layer = parseDigest(`sha256:${"f".repeat(64)}`);
const openshift = "cpe:2.3:a:redhat:openshift:4.12:*:el9:*:*:*:*:*";

const names = fc.constantFrom("a", "bash");
const versions = fc.constantFrom("1", "2");
const cves = ["CVE-2024-0001", "CVE-2024-0002", "GHSA-1"];
const installed = fc.record({
  kind: fc.constantFrom("distribution", "pypi", "generic"),
  name: names,
  version: versions,
  /** The package of the distribution that has its file. */
  owner: fc.option(names),
});
const images = fc.array(
  fc.record({
    release: fc.constantFrom("debian:12", "fedora:40", "rhel:9"),
    contentSet: fc.boolean(),
    packages: fc.array(installed, { maxLength: 5 }),
  }),
  { maxLength: 4 },
);
const advisories = fc.array(
  fc.record({
    name: fc.constantFrom(...cves),
    aliases: fc.uniqueArray(fc.constantFrom(...cves), { maxLength: 2 }),
    ecosystem: fc.constantFrom("debian:12", "fedora:40", "rhel:9", "rhel", "PyPI", "cpe"),
    packageName: names,
    status: fc.constantFrom<Advisory["status"]>("affected", "affected", "affected", "not-affected", "undetermined"),
    ranges: fc.constantFrom([{}], [{ fixed: "2" }], [{ fixed: "3" }], [{ introduced: "2" }]),
  }),
  { maxLength: 8 },
);

type Image = Parameters<Parameters<typeof images.map>[0]>[0][number];

function reportOf({ release, contentSet, packages }: Image, index: number): IndexReport {
  const [did = "", versionId = ""] = release.split(":");
  const found = packages.map(
    ({ kind, name, version }, at): Package => ({
      id: `${at + 1}`,
      name,
      version,
      kind: "BINARY",
      cpe: kind === "generic" ? `cpe:2.3:a:gnu:bash:${version}:*:*:*:*:*:*:*` : undefined,
    }),
  );
  const environments = packages.map(({ kind, owner }) => {
    const isOwned = kind !== "distribution" && owner !== null;
    const own = kind === "distribution" ? (contentSet ? ["rhocp"] : []) : [kind, ...(isOwned ? [`by ${owner}`] : [])];
    const from = kind === "distribution" || isOwned ? { distributionId: "1" } : {};
    return [{ packageDb: "db", introducedIn: layer, ...from, repositoryIds: own }];
  });
  const owners = ["a", "bash"].map((name) => ({ id: `by ${name}`, name, key: distributionPackageKey }));
  const repositories = [
    { id: "pypi", name: "pypi", key: "language" },
    { id: "generic", name: "generic" },
    { id: "rhocp", name: "rhocp", key: "content-set" },
    ...owners,
  ];
  return {
    manifestDigest: parseDigest(`sha256:${index.toString(16).padStart(64, "0")}`),
    state: "IndexFinished",
    success: true,
    packages: Object.fromEntries(found.map((each) => [each.id, each])),
    distributions: { "1": { id: "1", did, versionId } },
    repositories: Object.fromEntries(repositories.map((each) => [each.id, each])),
    environments: Object.fromEntries(environments.map((each, at) => [`${at + 1}`, each])),
    coverage: { status: "complete", layers: [], databases: [], problems: [], unassessed: [], thirdPartyPackages: 0 },
  };
}

/** Those of products of Red Hat are about a product that an image has by what is known of its repositories alone. */
function advisoryOf(given: Partial<Advisory> & { readonly packageName: string }, index: number): Advisory {
  const ofProduct = given.ecosystem === "cpe" ? { packageName: "gnu:bash", cpes: ["cpe:2.3:a:gnu:bash:*"] } : {};
  const cpes = given.ecosystem === "rhel" ? { cpes: [openshift] } : {};
  const updater = ["PyPI", "rhel:9"].includes(given.ecosystem ?? "") ? "osv" : "vendor";
  const id = `${updater}/${index}`;
  return testAdvisory({ ...given, packageKind: "BINARY", updater, id, description: id, ...ofProduct, ...cpes });
}

async function putReport(store: IndexerStore, report: IndexReport): Promise<void> {
  const { manifestDigest } = report;
  await beginRun(store, { id: "run", manifest: { digest: manifestDigest, layers: [] }, attempts: 1, at: 1 });
  const made = { report: formatReport(report), engineState: engine.state, layers: [layer] };
  const records = recordsToIndex(engine, report);
  await putFinished(store, { manifestDigest, ...made, records, at: 1, run: "run", lock: "lock" });
}

const enrichments = {
  async findEnrichments(enricher: string, tags: readonly string[]) {
    return enricher === "redhat-repositories" && tags.includes("rhocp")
      ? [{ tags: ["rhocp"], record: [openshift] }]
      : [];
  },
};

function sourceOf(given: readonly Advisory[]) {
  return { ...advisorySourceOf(given), ...enrichments };
}

/** The ids of advisories by image, as the reports say. */
function idsOf(reports: readonly VulnerabilityReport[]): Readonly<Record<string, readonly string[]>> {
  const found = reports.map(({ manifestDigest, vulnerabilities }) => {
    const ids = Object.values(vulnerabilities).map(({ description = "" }) => description);
    return [manifestDigest, [...new Set(ids)].sort()] as const;
  });
  return Object.fromEntries(found.filter(([, ids]) => ids.length > 0));
}

async function reverse(reports: readonly IndexReport[], given: readonly Advisory[]) {
  await using store = await openTestStore<IndexerTables>(":memory:", { migrations: [indexerMigrations] });
  for (const report of reports) await putReport(store, report);
  const group = given.map(toRuledVulnerabilityJson).map((one) => ({ ...one, rule: { ...one.rule, group: "1" } }));
  const json: Json = JSON.parse(JSON.stringify(group));
  const found = await findAffectedManifests({ engine, store, facts: sourceOf(given) }, json);
  const entries = Object.entries(found.vulnerable_manifests);
  return Object.fromEntries(entries.map(([digest, ids]) => [digest, ids.toSorted()]));
}

/** The ids of the packages that `explain` calls affected by any vulnerability. */
async function explained(report: IndexReport, given: readonly Advisory[]): Promise<readonly string[]> {
  const affected = new Set<string>();
  for (const vulnerability of cves) {
    const { records } = await explainReport(engine, { report, advisories: sourceOf(given) }, { vulnerability });
    for (const { record, answer } of records) if (answer === "affected") affected.add(record.package.id);
  }
  return [...affected].sort();
}

describe("findAffectedManifests", () => {
  it("finds exactly the images whose reports name an advisory, whatever owns files, feeds cover and repositories hold", async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(images, advisories, async (given, rules) => {
        const reports = given.map(reportOf);
        const all = rules.map(advisoryOf);
        const forward = await Promise.all(
          reports.map((report) => matchReport(engine, report, { advisories: sourceOf(all), enrichments })),
        );

        expect(await reverse(reports, all)).toEqual(idsOf(forward));
        for (const [at, report] of reports.entries()) {
          const { packageVulnerabilities = {} } = forward[at] ?? {};
          expect(await explained(report, all)).toEqual(Object.keys(packageVulnerabilities).sort());
        }
        found += Object.keys(idsOf(forward)).length;
      }),
      { seed: 1, numRuns: fullTestRuns(600) },
    );
    expect(found).toBeGreaterThan(50);
  });
});
