import { gzipSync } from "node:zlib";
import { testAdvisory } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { cveOf, metricOf, nvdDocument, yearlyFiles } from "../../feeds/nvd/fixtures/nvd-documents.ts";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { collect, itemsOf, withoutRecords } from "../../feeds/shared/fixtures/items-of.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import { packMetrics, unpackMetrics } from "./cve-record.ts";
import { cvssEnricher, nvdUpdater } from "./enricher.ts";

const secondary = "cna@vendor.example";
const v2 = metric("AV:L/AC:L/Au:N/C:N/I:P/A:N", 2.1);
const v30 = metric("CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:C/C:N/I:H/A:N", 6.5);
const v31 = metric("CVSS:3.1/AV:A/AC:H/PR:H/UI:R/S:U/C:H/I:L/A:N", 4.9);
const cna31 = { ...v31, source: secondary, isPrimary: false };
const cna40 = {
  ...metric("CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N", 8.7),
  source: secondary,
  isPrimary: false,
};

function metric(vector: string, score: number) {
  return { source: "nvd@nist.gov", isPrimary: true, vector, score };
}

/** The facts in a report about a vulnerability with these scores. */
function factOf(...metrics: readonly ReturnType<typeof metric>[]) {
  return cvssEnricher.enrich(testAdvisory({ id: "a" }), [{ tags: ["CVE-1"], record: packMetrics(metrics) }]);
}

const vector = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H";
const scored = { cvssMetricV31: [metricOf(vector, 7.5)] };

const startedAt = Date.UTC(2004, 5, 1);
const years = {
  2002: nvdDocument([cveOf("CVE-1999-0001", scored), cveOf("CVE-2002-0001", scored)]),
  2003: nvdDocument([cveOf("CVE-2003-0001", scored), cveOf("CVE-2003-0002", scored)]),
  2004: nvdDocument([]),
};

const siteOf = (documents: Readonly<Record<number, string>>): FeedReader =>
  feedReaderOf(yearlyFiles(documents), { startedAt });

async function idsOf(feeds: FeedReader): Promise<readonly string[]> {
  const items = await itemsOf(nvdUpdater, feeds);
  return items.flatMap((item) => (item.kind === "item" ? item.item.tags : [item.message]));
}

async function fingerprintOf(feeds: FeedReader): Promise<string | undefined> {
  const update = await nvdUpdater.update(feeds);
  return update.kind === "snapshot" ? update.fingerprint : undefined;
}

describe("cvssEnricher", () => {
  it("writes a score in the database's own form", () => {
    expect(factOf(v31)).toEqual([
      {
        version: "3.1",
        vectorString: "CVSS:3.1/AV:A/AC:H/PR:H/UI:R/S:U/C:H/I:L/A:N",
        baseScore: 4.9,
        baseSeverity: "MEDIUM",
        attackVector: "ADJACENT_NETWORK",
        attackComplexity: "HIGH",
        privilegesRequired: "HIGH",
        userInteraction: "REQUIRED",
        scope: "UNCHANGED",
        confidentialityImpact: "HIGH",
        integrityImpact: "LOW",
        availabilityImpact: "NONE",
      },
    ]);
    expect(factOf({ ...v31, score: 0 })).toMatchObject([{ baseSeverity: "NONE" }]);
  });

  it.each([
    ["its own 3.1 before its own 3.0", [v2, v30, v31, cna31], v31],
    ["its own 3.0 before another's 3.1", [cna31, v2, v30], v30],
    ["another's 3.1 before another's 4.0", [cna40, cna31], cna31],
    ["another's 4.0 before its own 2.0", [v2, cna40], cna40],
    ["2.0 if there is nothing else", [v2], v2],
  ])("prefers %s", (_, metrics, best) => {
    expect(factOf(...metrics)).toMatchObject([{ vectorString: best.vector, baseScore: best.score }]);
  });

  it("adds nothing if there is no score", () => {
    expect(factOf()).toBeUndefined();
  });
});

describe("nvdUpdater", () => {
  it("keeps every score with its source", async () => {
    const metrics = {
      cvssMetricV2: [metricOf("AV:N/AC:L/Au:N/C:P/I:N/A:N", 5)],
      cvssMetricV31: [
        metricOf(vector, 7.5),
        metricOf(vector, 7.5, { type: "Secondary", source: "cna@vendor.example" }),
      ],
      cvssMetricV40: [
        metricOf("CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N", 8.7, {
          type: "Secondary",
          source: "a UUID",
        }),
      ],
      ssvcV203: [{ source: "x" }],
    };
    const [item] = await itemsOf(nvdUpdater, feedReaderOf({ "": nvdDocument([cveOf("CVE-2024-0001", metrics)]) }));

    const found = item?.kind === "item" ? unpackMetrics(item.item.record) : [];

    expect(found.map(({ source, isPrimary, score }) => [source, isPrimary, score])).toEqual([
      ["nvd@nist.gov", true, 5],
      ["nvd@nist.gov", true, 7.5],
      ["cna@vendor.example", false, 7.5],
      ["a UUID", false, 8.7],
    ]);
  });

  it.each([
    ["plain", nvdDocument([cveOf("CVE-2024-0001", scored)])],
    ["compressed", gzipSync(nvdDocument([cveOf("CVE-2024-0001", scored)]))],
  ])("reads a %s document", async (_, document) => {
    expect(await idsOf(feedReaderOf({ "": document }))).toEqual(["CVE-2024-0001"]);
  });

  it("reads the documents of a folder", async () => {
    const documents = {
      "nvdcve-2.0-2023.json": nvdDocument([cveOf("CVE-2023-0001", scored)]),
      "nvdcve-2.0-2024.json.gz": gzipSync(nvdDocument([cveOf("CVE-2024-0001", scored)])),
      "nvdcve-2.0-2024.meta": "x",
    };

    expect(await idsOf(feedReaderOf(documents, { layout: "folder" }))).toEqual(["CVE-2023-0001", "CVE-2024-0001"]);
  });

  it("leaves out a vulnerability that was rejected or has no score", async () => {
    const document = nvdDocument([cveOf("CVE-2024-0001"), cveOf("CVE-2024-0002", scored, "Rejected")]);

    expect(await idsOf(feedReaderOf({ "": document }))).toEqual([]);
  });

  it("leaves out a malformed record or score and keeps the others", async () => {
    const vulnerabilities = [
      7,
      cveOf("no id", scored),
      cveOf("CVE-2024-0001", {
        cvssMetricV31: [metricOf("CVSS:3.1/AV:X", 7), metricOf(vector, 70), ...scored.cvssMetricV31],
      }),
      cveOf("CVE-2024-0002", scored),
    ];
    const document = nvdDocument(vulnerabilities).replace('"vulnerabilities":[7,', '"vulnerabilities":[{bad},');

    expect(await idsOf(feedReaderOf({ "": document }))).toEqual([
      expect.stringContaining("memory: expected JSON"),
      expect.stringContaining("cve.id: expected a CVE id"),
      expect.stringContaining("CVSS vector"),
      expect.stringContaining("baseScore: expected a score from 0 to 10, found 70"),
      "CVE-2024-0001",
      "CVE-2024-0002",
    ]);
  });

  it("reads all years the first time", async () => {
    expect(await idsOf(siteOf(years))).toEqual(["CVE-1999-0001", "CVE-2002-0001", "CVE-2003-0001", "CVE-2003-0002"]);
  });

  it("reads the years that changed afterwards, and names records that no longer have a score", async () => {
    const fingerprint = await fingerprintOf(siteOf(years));
    const changed = {
      ...years,
      2003: nvdDocument([cveOf("CVE-2003-0001", scored), cveOf("CVE-2003-0002", scored, "Rejected")]),
      2005: nvdDocument([cveOf("CVE-2005-0001", scored)]),
    };

    const update = await nvdUpdater.update(siteOf(changed), fingerprint);
    const changes = update.kind === "delta" ? withoutRecords(await collect(update.changes)) : [];

    expect(changes).toMatchObject([
      { item: { record: "CVE-2003-0001", items: [{ tags: ["CVE-2003-0001"] }] } },
      { item: { record: "CVE-2003-0002", items: [] } },
      { item: { record: "CVE-2005-0001", items: [{ tags: ["CVE-2005-0001"] }] } },
    ]);
    expect(changes).toHaveLength(3);
  });

  it("is unchanged as long as no year changes", async () => {
    const fingerprint = await fingerprintOf(siteOf(years));

    expect(await nvdUpdater.update(siteOf(years), fingerprint)).toEqual({ kind: "unchanged" });
    expect(await nvdUpdater.update(siteOf(years), "another's")).toMatchObject({ kind: "snapshot" });
    expect(await nvdUpdater.update(feedReaderOf({ "": "{}" }), fingerprint)).toMatchObject({ kind: "snapshot" });
  });

  it("finds the yearly documents beside a .meta file or a page", async () => {
    const files = yearlyFiles(years);

    for (const whole of [files["nvdcve-2.0-2002.meta"] ?? "", "<!doctype html>"])
      expect(await idsOf(feedReaderOf({ ...files, "": whole }, { startedAt }))).toHaveLength(4);
  });

  const { 2002: first, 2004: last } = years;
  it.each([
    ["a year before the last", { 2002: first }, "nvdcve-2.0-2003.meta"],
    ["all years", {}, "nvdcve-2.0-2002.meta"],
  ])("throws not_found without %s", async (_, documents, missing) => {
    const refused = { code: "not_found", message: expect.stringContaining(missing) };

    await expect(nvdUpdater.update(siteOf(documents))).rejects.toMatchObject(refused);
  });

  it("throws not_found without a year that existed before", async () => {
    const fingerprint = await fingerprintOf(siteOf({ ...years, 2005: last }));

    await expect(nvdUpdater.update(siteOf(years), fingerprint)).rejects.toMatchObject({ code: "not_found" });
  });

  const whole = yearlyFiles(years);
  const gz = Uint8Array.from(whole["nvdcve-2.0-2003.json.gz"] as Uint8Array);
  it.each([
    ["of another digest", { "nvdcve-2.0-2003.json.gz": gzipSync(first) }, "SHA-256 digest"],
    ["cut off", { "nvdcve-2.0-2003.json.gz": gz.subarray(0, -20) }, "memory"],
    ["a page", { "nvdcve-2.0-2003.json.gz": "<!doctype html>" }, "SHA-256 digest"],
    ["described by a page", { "nvdcve-2.0-2003.meta": "<!doctype html>" }, "a line with a SHA-256 digest"],
  ])("refuses a yearly document that is %s", async (_, damaged, message) => {
    const refused = { code: "malformed_feed", message: expect.stringContaining(message) };

    await expect(itemsOf(nvdUpdater, feedReaderOf({ ...whole, ...damaged }, { startedAt }))).rejects.toMatchObject(
      refused,
    );
  });

  it("refuses a folder without documents", async () => {
    const feeds = feedReaderOf({ "readme.txt": "x" }, { layout: "folder" });

    await expect(nvdUpdater.update(feeds)).rejects.toMatchObject({ code: "malformed_feed" });
  });
});
