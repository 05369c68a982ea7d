import { readdirSync, readFileSync } from "node:fs";
import { findCorpus, testAdvisory } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../feeds/shared/fixtures/items-of.ts";
import type { EnrichmentRecord } from "../plugins/enricher.ts";
import type { Updater } from "../plugins/updater.ts";
import type { CveRecord } from "./cve/cve-record.ts";
import { cveEnricher } from "./cve/enricher.ts";
import { eolEnricher } from "./eol/enricher.ts";
import { epssEnricher, scoreIn } from "./epss/enricher.ts";
import { kevEnricher } from "./kev/enricher.ts";
import { cvssEnricher } from "./nvd/enricher.ts";

const corpus = findCorpus();

const bytesOf = (path: string) => readFileSync(`${corpus}/data/feeds/${path}`);

/** The tags of all records of a feed; fails if a record cannot be read. */
async function idsOf(updater: Updater<EnrichmentRecord>, path: string): Promise<readonly string[]> {
  const items = await itemsOf(updater, feedReaderOf({ "": bytesOf(path) }));
  expect(items.filter(({ kind }) => kind === "problem")).toEqual([]);
  return items.flatMap((item) => (item.kind === "item" ? item.item.tags : []));
}

/** The matches of a pattern in the text of a document: a second way to count its records. */
function foundIn(path: string, pattern: RegExp): readonly string[] {
  return [...bytesOf(path).toString("utf8").matchAll(pattern)].map(([, found = ""]) => found);
}

/** A record of the CVE list without the copy of its earlier form. */
function withoutLegacy(text: string): string {
  const record = JSON.parse(text, (name, value: unknown) => (name === "x_legacyV4Record" ? undefined : value));
  return JSON.stringify(record, undefined, 1);
}

describe.skipIf(corpus === undefined)("enrichers", () => {
  it("read every entry of the whole catalog of exploited vulnerabilities", async () => {
    const path = "cisa-kev/full/known_exploited_vulnerabilities.json";
    const ids = await idsOf(kevEnricher.updater, path);

    expect(ids).toHaveLength(1404);
    expect(ids).toEqual(foundIn(path, /"cveID": "(CVE-[\d-]+)"/g));
  });

  it.each(["epss/excerpt/data.csv", "epss/excerpt/data.csv.gz"])("read every score of %s", async (path) => {
    const items = await itemsOf(epssEnricher.updater, feedReaderOf({ "": bytesOf(path) }));
    const records = items.flatMap((item) => (item.kind === "item" ? [item.item] : []));
    const listed = foundIn("epss/excerpt/data.csv", /^(CVE-[\d-]+,[\d.,]+)$/gm);
    const aliases = listed.map((line) => line.split(",", 1)[0] ?? "");
    const facts = aliases.flatMap((cve) => records.flatMap((record) => scoreIn(record, cve) ?? []));

    expect(items).toHaveLength(records.length);
    expect(facts.map(({ cve, epss, percentile }) => `${cve},${epss.toFixed(5)},${percentile.toFixed(5)}`)).toEqual(
      listed,
    );
  });

  it.each([
    ["eol/excerpt/eoldata.json", 5, 5],
    ["eol/excerpt/valid-eol-response.json", 2, 6],
  ])("read every release with a day of %s", async (path, products, days) => {
    const items = await itemsOf(eolEnricher.updater, feedReaderOf({ "": bytesOf(path) }));
    const records = items.flatMap((item) => (item.kind === "item" ? [item.item.record] : []));

    expect(records).toHaveLength(products);
    expect(foundIn(path, /("releases")/g)).toHaveLength(products);
    const read = records.flatMap((record) => Object.values((record as unknown as { ends: object }).ends));
    expect(read).toEqual(foundIn(path, /"eolFrom": "([\d-]+)"/g));
    expect(read).toHaveLength(days);
  });

  it.each([
    ["nvd-2.0/page/full-page.json", 35],
    ["nvd-cvss-feed/excerpt/feed.json", 2],
  ])("read every vulnerability with a score of %s", async (path, count) => {
    const document = JSON.parse(bytesOf(path).toString("utf8")) as NvdDocument;
    const listed = document.vulnerabilities.map(({ cve }) => cve);
    const scored = listed.filter(
      ({ metrics, vulnStatus }) => vulnStatus !== "Rejected" && /"vectorString"/.test(JSON.stringify(metrics)),
    );
    const ids = await idsOf(cvssEnricher.updater, path);

    expect(ids).toEqual(scored.map(({ id }) => id));
    expect(ids).toHaveLength(count);
  });

  it("write scores as the database does", async () => {
    const path = "nvd-2.0/page/full-page.json";
    const document = JSON.parse(bytesOf(path).toString("utf8")) as NvdDocument;
    const own = document.vulnerabilities.flatMap(({ cve }) => cve.metrics?.cvssMetricV31?.slice(0, 1) ?? []);
    const items = await itemsOf(cvssEnricher.updater, feedReaderOf({ "": bytesOf(path) }));
    const facts = items.flatMap((item) =>
      item.kind === "item" ? [cvssEnricher.enrich(testAdvisory({ id: "a" }), [item.item])] : [],
    );

    expect(facts).toEqual(own.map(({ cvssData }) => [cvssData]));
  });

  it("read every score, weakness and reference of cve5/records", async () => {
    const names = readdirSync(`${corpus}/data/feeds/cve5/records`);
    const texts = names.map((name) => [name, withoutLegacy(bytesOf(`cve5/records/${name}`).toString("utf8"))] as const);
    const items = await itemsOf(cveEnricher.updater, feedReaderOf(Object.fromEntries(texts), { layout: "folder" }));
    const records = items.flatMap((item) => (item.kind === "item" ? [item.item] : []));

    expect(items.filter(({ kind }) => kind === "problem")).toEqual([]);
    expect(records.flatMap(({ tags }) => tags)).toEqual(names.map((name) => name.replace(".json", "")));
    const all = records.map(({ record }) => record as unknown as CveRecord);
    for (const [index, [name, text]] of texts.entries()) {
      const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, one]) => one);
      const { facts, scores } = all[index] as CveRecord;
      expect(scores.map(({ vector }) => vector).sort(), name).toEqual(
        found(/"vectorString": "((?:CVSS:|AV:)[^"]+)"/g).sort(),
      );
      expect([...facts.cwes].sort(), name).toEqual(
        [...new Set(found(/"(?:cweId|description)": "(CWE-\d+)\b/g))].sort(),
      );
      const urls = [...new Set(found(/"url": "(https?:[^"]+)"/g))];
      expect([...facts.references].sort(), name).toEqual(urls.filter((url) => !url?.includes("/schemas/")).sort());
      expect(facts.state, name).toBe(found(/"state": "(\w+)"/g)[0]);
    }
    const scores = all.flatMap((record) => record.scores);
    expect(scores.map(({ by, source }) => `${by} ${source}`).sort()).toEqual([
      "adp CISA-ADP",
      "adp CISA-ADP",
      "cna GitHub_M",
      "cna GitHub_M",
      "cna GitHub_M",
      "cna Google",
      "cna VulDB",
      "cna VulDB",
      "cna VulDB",
      "cna redhat",
      "cna redhat",
      "cna redhat",
    ]);
  });
});

interface NvdDocument {
  readonly vulnerabilities: readonly { readonly cve: NvdCve }[];
}

interface NvdCve {
  readonly id: string;
  readonly vulnStatus: string;
  readonly metrics?: { readonly cvssMetricV31?: readonly { readonly cvssData: unknown }[] };
}
