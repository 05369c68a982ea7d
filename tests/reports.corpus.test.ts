/**
 * Inputs about which scanners have been wrong, each an example of a class, and the right answer to each.
 *
 * The tests of `wrongToday` fail while the answer is wrong, as expected; a test turns red as soon as its answer is right. Then its title is
 * removed from the list.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openScanner, parseSource, type ScanReport } from "@plimsoll/scanner";
import { toCycloneDx, toSpdx } from "@plimsoll/scanner/formats";
import { findCorpus } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { parseFindingFilter } from "../packages/server/src/cli/finding-filter.ts";
import { judgeScans } from "../packages/server/src/cli/gate.ts";
import { tempFolder } from "./support/temp-folder.ts";

const wrongToday: ReadonlySet<string> = new Set([]);

const corpus = findCorpus();
const reports = corpus === undefined ? "" : join(corpus, "data", "reports");
const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());

/** The parts of an answer that rows compare. */
interface Answer {
  /** `ID name version`, sorted. */
  readonly findings: readonly string[];
  /** The names of the packages that are found affected or cannot be judged, sorted. */
  readonly noticed: readonly string[];
  /** `name version`, sorted. */
  readonly packages: readonly string[];
  readonly coverage: "complete" | "partial";
  /** The kinds of packages that are not assessed. */
  readonly unassessed: readonly string[];
  /** Whether `--fail-on unknown+` and `--strict` pass. */
  readonly passes: boolean;
}

interface Row {
  readonly title: string;
  /** A source in the form of the command line; `$` is the folder of reports. */
  readonly source: string;
  /** Locations by feed. */
  readonly feeds: Readonly<Record<string, string>>;
  readonly right: Partial<Answer>;
}

const pythonOsv = { osv: "$/python-local-versions/osv" };
const javaOsv = { osv: "$/java-without-group/osv" };
const feedsIn = (name: string) => ({ osv: `$/${name}/osv`, debian: `$/${name}/debian-tracker.json` });

const rows: readonly Row[] = [
  {
    title: "a jar whose group is not known",
    source: "dir:$/java-without-group",
    feeds: javaOsv,
    right: {
      noticed: expect.arrayContaining([expect.stringContaining("jackson-mapper-asl"), "log4j:log4j"]),
      passes: false,
    },
  },
  {
    title: "flask 2.0.0+cgr.2",
    source: "purl:pkg:pypi/flask@2.0.0%2Bcgr.2",
    feeds: pythonOsv,
    right: { findings: ["GHSA-test-fla1-0001 flask 2.0.0+cgr.2"] },
  },
  {
    title: "torch 2.5.1+cpu",
    source: "purl:pkg:pypi/torch@2.5.1%2Bcpu",
    feeds: pythonOsv,
    right: { findings: ["GHSA-test-tor2-0001 torch 2.5.1+cpu"] },
  },
  {
    title: "PyYAML and pyyaml",
    source: "dir:$/python-same-package-twice/root",
    feeds: { osv: "$/python-same-package-twice/osv" },
    right: { findings: [expect.stringMatching(/^PYSEC-2021-142 pyyaml 5.3.1$/i)] },
  },
  {
    title: "egg-info with PKG-INFO",
    source: "$/egg-info/egg-info-PKG-INFO.tar",
    feeds: {},
    right: { packages: ["cryptography 3.3.2", "musl 1.2.5-r10"] },
  },
  {
    title: "egg-info with METADATA",
    source: "$/egg-info/egg-info-METADATA.tar",
    feeds: {},
    right: { packages: ["cryptography 3.3.2", "musl 1.2.5-r10"] },
  },
  {
    title: "the log of an rpm database",
    source: "$/rpm-wal/one-layer-wal.tar",
    feeds: {},
    right: { packages: ["bash 5.2.26-6.el10", "libssh 0.12.0-3.el10_2"] },
  },
  {
    title: "the log of an rpm database that a later layer deletes",
    source: "$/rpm-wal/wal-deleted-above.tar",
    feeds: {},
    right: { packages: ["bash 5.2.26-6.el10", "libssh 0.12.0-2.el10"] },
  },
  {
    title: "files of a distribution's package that only its md5sums name",
    source: "$/dpkg-md5sums/info-md5sums.tar",
    feeds: feedsIn("dpkg-md5sums"),
    right: { findings: [], packages: ["python3-six 1.16.0-4", "six 1.16.0"] },
  },
  {
    title: "an archive of Docker 25",
    source: "$/docker25/docker25.tar",
    feeds: {},
    right: { packages: ["curl 7.88.1-10"] },
  },
  {
    title: "a lock file of another folder",
    source: "dir:$/lock-file-of-another-folder/root",
    feeds: {},
    right: { coverage: "partial", unassessed: ["python"] },
  },
  {
    title: "records of FriendsOfPHP named by their GHSA id",
    source: "purl:pkg:composer/easycorp/easyadmin-bundle@5.0.1",
    feeds: { php: "$/php-feed-file-names/feed" },
    right: { findings: [expect.stringContaining("easyadmin"), expect.stringContaining("easyadmin")] },
  },
];

/** The rows that the data themselves list. */
function listedRows(): readonly Row[] {
  if (corpus === undefined) return [];
  const cases: Readonly<Record<string, ListedCase>> = JSON.parse(readFileSync(join(reports, "cases.json"), "utf8"));
  return Object.entries(cases).map(([title, { source, feeds, want }]) => {
    const findings = want === "none" ? [] : expect.arrayContaining([expect.stringContaining(want)]);
    return { title, source, feeds, right: { findings } };
  });
}

interface ListedCase extends Pick<Row, "source" | "feeds"> {
  /** The name of a vulnerability that is found, or `none`. */
  readonly want: string;
}

const inReports = (text: string): string => text.replace("$", reports);

/** Scans the sources with one database. */
async function scanWith(feeds: Row["feeds"], ...sources: readonly string[]): Promise<readonly ScanReport[]> {
  await using scanner = await openScanner({ db: ":memory:", offline: true });
  const locations = Object.fromEntries(Object.entries(feeds).map(([name, place]) => [name, inReports(place)]));
  const results = await scanner.updateFeeds({ only: Object.keys(feeds), locations });
  expect(results.map(({ kind }) => kind)).toEqual(results.map(() => "updated"));
  const scans: ScanReport[] = [];
  for (const source of sources) {
    scans.push(await scanner.scan(await parseSource(inReports(source)), { allowsNoAdvisories: true }));
  }
  return scans;
}

const failOn = parseFindingFilter("--fail-on", "unknown+");

function answerOf(report: ScanReport): Answer {
  const { coverage, packages, undecided } = report.vulnerabilities;
  const undecidedIds = (coverage.undecided ?? []).flatMap(({ packageIds }) => packageIds);
  const findings = report.findings();
  const unjudged = [...undecidedIds, ...undecided.map(({ packageId }) => packageId)].flatMap(
    (id) => packages[id]?.name ?? [],
  );
  const rules = { failOn, allowIncomplete: false, maxDbAgeDays: 7 };
  return {
    findings: findings.map(({ id, package: { name, version } }) => `${id} ${name} ${version}`).sort(),
    noticed: [...new Set([...findings.map(({ package: { name } }) => name), ...unjudged])].sort(),
    packages: Object.values(packages)
      .map(({ name, version }) => `${name} ${version}`)
      .sort(),
    coverage: coverage.status,
    unassessed: coverage.unassessed.map(({ kind }) => kind),
    passes: [true, false].some((strict) => judgeScans([report], { ...rules, strict }).code === 0),
  };
}

async function checkRow({ source, feeds, right }: Row): Promise<void> {
  const [report] = await scanWith(feeds, source);

  expect(report && answerOf(report)).toMatchObject(right);
}

const ownFormats = { cyclonedx: toCycloneDx, spdx: toSpdx };

/** An image and its SBOM in one of our formats have the same findings. */
async function checkOwnSbom(format: keyof typeof ownFormats): Promise<void> {
  const [feeds, image] = [feedsIn("own-sbom"), "$/own-sbom/deb.tar"];
  const [scanned] = await scanWith(feeds, image);
  const document = scanned && ownFormats[format](scanned, { toolVersion: "0", createdAt: 0 });
  const file = folder.write(`${format}.json`, JSON.stringify(document));

  const [stated] = await scanWith(feeds, `sbom:${file}`);

  expect(stated && answerOf(stated).findings).toEqual(scanned && answerOf(scanned).findings);
}

const checks = [
  ...[...rows, ...listedRows()].map((row) => ({ title: row.title, check: () => checkRow(row) })),
  ...(["cyclonedx", "spdx"] as const).map((format) => ({
    title: `own SBOM as ${format}`,
    check: () => checkOwnSbom(format),
  })),
];

describe.skipIf(corpus === undefined)("inputs about which scanners have been wrong", () => {
  it.each(checks.filter(({ title }) => !wrongToday.has(title)))("$title", ({ check }) => check());
  it.fails.each(checks.filter(({ title }) => wrongToday.has(title)))("$title (wrong today)", ({ check }) => check());

  it("has a test for each title of wrongToday", () => {
    const titles = checks.map(({ title }) => title);

    expect([...wrongToday].filter((title) => !titles.includes(title))).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
  });
});
