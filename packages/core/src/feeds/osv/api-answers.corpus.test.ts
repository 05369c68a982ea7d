import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { go } from "../../ecosystems/go/index.ts";
import { rust } from "../../ecosystems/rust/index.ts";
import { sampleDistribution, sampleIndexReport, samplePackage } from "../../match/fixtures/samples.ts";
import { indexRecords } from "../../match/index-records.ts";
import { matchRecords } from "../../match/match-records.ts";
import { languageKey } from "../../model/package.ts";
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

describe.skipIf(corpus === undefined)("osvUpdater, with the answers of api.osv.dev", () => {
  it.each([
    ["Go", "GO-", go, "go", 181],
    ["crates.io", "RUSTSEC-", rust, "crates.io", 0],
  ])("finds all that it found in %s, and nothing else", async (ecosystem, prefix, { matchers }, repository, total) => {
    const answers = readAnswers(ecosystem, prefix);
    const zip = readFileSync(`${corpus}/data/feeds/osv-full/${ecosystem}/osv-${ecosystem}-all.zip`);
    const items = await itemsOf(osvUpdater({ ecosystems: [ecosystem] }), feedReaderOf({ "": zip }));
    const advisories = items.flatMap((item) => (item.kind === "item" ? item.item : []));
    const packages = answers.map(({ asked }, i) => samplePackage(asked, { id: String(i) }));
    const repositories = [{ id: "1", name: repository, key: languageKey }];
    const records = indexRecords(sampleIndexReport(sampleDistribution("none"), packages)).map((record) => {
      return { ...record, repositories };
    });

    const { affected } = matchRecords(matchers, { records, advisories });

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
