import { describe, expect, it } from "vitest";
import { createEngine } from "../create-engine.ts";
import { allDistributions } from "../distributions/all.ts";
import { allEcosystems } from "../ecosystems/all.ts";
import type { Advisory } from "../model/advisory.ts";
import type { Distribution } from "../model/distribution.ts";
import type { IndexReport, PackageFact } from "../model/index-report.ts";
import { languagePurls } from "../model/language-purls.ts";
import { languageKey, type Package, type PackageRepository, unstatedKey } from "../model/package.ts";
import type { IndexRecord, Matcher } from "../plugins/matcher.ts";
import { advisorySourceOf } from "./advisory-source-of.ts";
import {
  sampleAdvisory,
  sampleDistribution,
  sampleIndexReport,
  samplePackage,
  sampleRecord,
} from "./fixtures/samples.ts";
import { lookupKeys } from "./lookup-keys.ts";
import { matchReport } from "./match-report.ts";

const engine = createEngine({ ecosystems: allEcosystems });

/** A package about which everything is known, and an advisory that affects it. */
interface Known {
  readonly title: string;
  readonly record: IndexRecord;
  readonly advisory: Advisory;
}

/** Versions of releases, one of which each distribution that has releases can have. */
const releases = ["12", "22.04", "3.20", "9.4", "2023", "15.5", "4.0", "24.03"];

/** rpm distributions whose feeds name source packages, too. */
const withSources: ReadonlySet<string> = new Set(["azurelinux", "centos", "fedora", "mariner", "photon", "rhel"]);

function knownDistributions(): readonly Known[] {
  return allDistributions.flatMap(({ did, packaging }) => {
    const version = packaging === "apk" ? "1.0-r1" : "1:1.0-1";
    const found = samplePackage(`lib ${version}`, { from: `src ${version}`, arch: "x86_64" });
    const records = releases.map((release) => sampleRecord(`${did} ${release}`, found));
    const record = records.find((each) => lookupKeys(engine.matchers, [each]).keys.length > 0);
    if (record === undefined) return [];
    const namesSources = packaging === "apk" || packaging === "dpkg" || withSources.has(did);
    return [knownOf(did, record, "BINARY"), ...(namesSources ? [knownOf(did, record, "SOURCE")] : [])];
  });
}

function knownLanguages(): readonly Known[] {
  return [...languagePurls].flatMap(([repository, { separator }]) => {
    const group = repository === "swift" ? "example.org/group" : "group";
    const name = separator === undefined ? "redis" : `${group}${separator}redis`;
    const version = repository === "go" ? "v1.0.0" : "1.0.0";
    const record: IndexRecord = {
      package: { id: "1", name, version, kind: "BINARY" },
      packageDb: "some/file",
      repositories: [{ id: "1", name: repository, key: languageKey }],
    };
    return [knownOf(repository, record, "BINARY")];
  });
}

function knownOf(title: string, record: IndexRecord, packageKind: Package["kind"]): Known {
  const { name: own, source, version } = record.package;
  const { keys } = lookupKeys(engine.matchers, [record]);
  const name = packageKind === "SOURCE" ? source?.name : own;
  const key = keys.find((each) => packageKind === "BINARY" || each.name === name) ?? keys[0];
  const advisory = sampleAdvisory(key?.ecosystem ?? "", key?.name ?? "", {
    packageKind,
    ranges: [{ fixed: version.replace("1.0", "2.0") }],
  });
  return { title: `${title}, by its ${packageKind.toLowerCase()}`, record, advisory };
}

const known = [...knownDistributions(), ...knownLanguages()];

/** The record without one fact. */
type Forget = (record: IndexRecord) => IndexRecord;

const unstated = (fact: PackageFact): PackageRepository => ({ id: "9", name: fact, key: unstatedKey });
const withPackage = (record: IndexRecord, more: Partial<Package>): IndexRecord => ({
  ...record,
  package: { ...record.package, ...more },
});
const withRelease = (record: IndexRecord, release: Distribution): IndexRecord =>
  record.distribution === undefined ? record : { ...record, distribution: release };

/** Languages whose names need no namespace: `redis` is another name than `@group/redis`. */
const withoutName: ReadonlySet<string | undefined> = new Set(["go", "npm", "wordpress"]);

const forgets: Readonly<Record<string, Forget>> = {
  nothing: (record) => record,
  "the distribution or language": ({ distribution: _, ...record }) => ({ ...record, repositories: [] }),
  "which distribution it is": (record) => withRelease(record, sampleDistribution("nosuch 1")),
  "the release": (record) => withRelease(record, { id: "1", did: record.distribution?.did ?? "" }),
  "a release that a loaded feed covers": (record) =>
    withRelease(record, { id: "1", did: record.distribution?.did ?? "", versionId: "987.65" }),
  "the version": (record) => withPackage(record, { version: "", ...withoutSource(record) }),
  "how to read the version": (record) => withPackage(record, { version: "not !a version", ...withoutSource(record) }),
  "the group or vendor": (record) =>
    withoutName.has(record.repositories[0]?.name)
      ? record
      : withPackage(record, { name: record.package.name.replace(/^[^:/]*[:/]/, "") }),
  "the source": ({ package: { source: _, ...found }, ...record }) => ({
    ...record,
    package: found,
    repositories: [...record.repositories, unstated("source")],
  }),
  "the epoch": (record) => ({
    ...withPackage(record, { version: record.package.version.replace(/^\d+:/, "") }),
    repositories: [...record.repositories, unstated("epoch")],
  }),
};

/** A source whose version is that of the package loses it with the package. */
function withoutSource({ package: { source } }: IndexRecord): Partial<Package> {
  return source === undefined ? {} : { source: { ...source, version: "" } };
}

function reportOf({ package: found, packageDb, distribution, repositories }: IndexRecord): IndexReport {
  const report = sampleIndexReport(distribution ?? { id: "1" }, [found]);
  const [environment] = Object.values(report.environments).flat();
  const listed = repositories.map((repository, index) => ({ ...repository, id: String(index + 1) }));
  const { distributionId: _, ...place } = { ...environment, packageDb };
  return {
    ...report,
    distributions: distribution === undefined ? {} : report.distributions,
    repositories: Object.fromEntries(listed.map((repository) => [repository.id, repository])),
    environments: {
      [found.id]: [
        {
          ...place,
          distributionId: distribution?.id,
          repositoryIds: listed.map(({ id }) => id),
        },
      ],
    },
  };
}

const judge = (record: IndexRecord, advisory: Advisory, matchers: readonly Matcher[] = engine.matchers) =>
  matchReport({ ...engine, matchers }, reportOf(record), { advisories: advisorySourceOf([advisory]) });

describe("a package of which a fact is not known", () => {
  it.each(Object.entries(forgets))("is found or undecided, never passed over: %s", async (_, forget) => {
    const silent: string[] = [];
    for (const { title, record, advisory } of known) {
      const { packageVulnerabilities, coverage } = await judge(forget(record), advisory);
      const isFound = packageVulnerabilities["1"] !== undefined;
      const isUndecided = coverage.undecided?.some(({ packageIds }) => packageIds.includes("1")) === true;
      if (!isFound && !(isUndecided && coverage.status === "partial")) silent.push(title);
    }

    expect(silent).toEqual([]);
  });

  it("is undecided where the advisory only names commits, in every ecosystem", async () => {
    const reports = await Promise.all(
      ["git:0", "git:abc123"].flatMap((commit) =>
        known.map(({ record, advisory }) => judge(record, { ...advisory, ranges: [{ below: commit }] })),
      ),
    );

    expect(new Set(reports.flatMap(({ coverage }) => coverage.undecided?.map(({ fact }) => fact)))).toEqual(
      new Set(["version"]),
    );
  });

  it.each<[string, Partial<Advisory>]>([
    ["the vendor has not decided", { status: "undetermined", ranges: [{}] }],
    ["the advisory's own version is none", { ranges: [{ fixed: "not !a version" }] }],
  ])("is undecided where %s, in every ecosystem", async (_, statement) => {
    const reports = await Promise.all(
      known.map(({ record, advisory }) => judge(record, { ...advisory, ...statement })),
    );
    const wrong = known.filter((_, index) => reports[index]?.coverage.undecided?.[0]?.fact !== "statement");

    expect(wrong.map(({ title }) => title)).toEqual([]);
    expect(new Set(reports.map(({ coverage }) => coverage.status))).toEqual(new Set(["partial"]));
  });

  it("is not covered by complete where no feed is loaded for its ecosystem", async () => {
    const reports = await Promise.all(
      known.map(({ record }) => matchReport(engine, reportOf(record), { advisories: advisorySourceOf([]) })),
    );

    expect(known.filter((_, index) => reports[index]?.coverage.status !== "partial")).toEqual([]);
  });

  it("is found where every fact is known, in every ecosystem that a matcher is for", async () => {
    const reports = await Promise.all(known.map(({ record, advisory }) => judge(record, advisory)));
    const undecided = known.filter((_, index) => reports[index]?.coverage.undecided !== undefined);

    expect(undecided.map(({ title }) => title)).toEqual([]);
    expect(known.length).toBeGreaterThan(60);
  });
});
