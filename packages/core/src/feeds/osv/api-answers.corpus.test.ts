import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { sampleDistribution, sampleIndexReport, samplePackage } from "../../match/fixtures/samples.ts";
import { indexRecords } from "../../match/index-records.ts";
import { matchRecords } from "../../match/match-records.ts";
import { findRange } from "../../match/range.ts";
import type { Matcher, VersionScheme } from "../../plugins.ts";
import { golangVersions } from "../../versions/golang/version.ts";
import { semverVersions } from "../../versions/semver/version.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { osvUpdater } from "./updater.ts";

const corpus = findCorpus();

interface Answer {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
  readonly vulns: Readonly<Record<string, string>>;
}

/** What api.osv.dev answered for packages of an ecosystem, in ids that begin with `prefix`. */
function readAnswers(ecosystem: string, prefix: string) {
  const text = readFileSync(`${corpus}/data/expected/osv-api-answers/visible/answers.json`, "utf8");
  return (JSON.parse(text) as readonly Answer[])
    .filter((answer) => answer.ecosystem === ecosystem)
    .map(({ name, version, vulns }) => ({
      asked: `${name} ${version}`,
      ids: Object.keys(vulns)
        .filter((id) => id.startsWith(prefix))
        .sort(),
    }));
}

/** The plain matcher of a language: every package, its own name and version. */
function languageMatcher(ecosystem: string, versions: VersionScheme): Matcher {
  return {
    name: ecosystem,
    keysRevision: 1,
    accepts: () => true,
    keys: ({ package: { name } }) => [{ ecosystem, name }],
    judge: ({ package: found }, advisory) => {
      const finding = findRange(versions, found.version, advisory.ranges, advisory.versions);
      if (finding.kind === "outside") return { kind: "not-affected", reason: "outside-range" };
      if (finding.kind === "in-range" || finding.kind === "listed") return { kind: "affected" };
      return { kind: "undecided", reason: "malformed-package-version" };
    },
  };
}

describe.skipIf(corpus === undefined)("osvUpdater, with the answers of api.osv.dev", () => {
  it.each([
    ["Go", "GO-", golangVersions, 181],
    ["crates.io", "RUSTSEC-", semverVersions, 0],
  ])("finds all that it found in %s, and nothing else", async (ecosystem, prefix, versions, total) => {
    const answers = readAnswers(ecosystem, prefix);
    const zip = readFileSync(`${corpus}/data/feeds/osv-full/${ecosystem}/osv-${ecosystem}-all.zip`);
    const items = await itemsOf(osvUpdater({ ecosystems: [ecosystem] }), feedReaderOf({ "": zip }));
    const advisories = items.flatMap((item) => (item.kind === "item" ? item.item : []));
    const packages = answers.map(({ asked }, i) => samplePackage(asked, { id: String(i) }));
    const records = indexRecords(sampleIndexReport(sampleDistribution("none"), packages));

    const { affected } = matchRecords([languageMatcher(ecosystem, versions)], records, advisories);

    const found = answers.map(({ asked }, i) => ({
      asked,
      ids: affected
        .filter(({ record }) => record.package.id === String(i))
        .map(({ advisory }) => advisory.name)
        .sort(),
    }));
    expect(found).toEqual(answers);
    expect(answers.flatMap(({ ids }) => ids)).toHaveLength(total);
  });
});
