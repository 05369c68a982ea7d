import { gzipSync } from "node:zlib";
import { testAdvisory } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../feeds/shared/fixtures/items-of.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import { epssEnricher } from "./enricher.ts";

const about = "#model_version:v2023.03.01,score_date:2024-10-25T00:00:00+0000";
const scores = `${about}\ncve,epss,percentile\nCVE-1999-0005,0.91963,0.99030\nCVE-1999-0007,7e-05,0.32734\n`;

const read = (document: string | Uint8Array) => itemsOf(epssEnricher.updater, feedReaderOf({ "": document }));

/** The facts in a report about an advisory with these CVE ids. */
async function factsOf(aliases: readonly string[], document: string | Uint8Array) {
  const items = await read(document);
  const records = items.flatMap((item) => (item.kind === "item" ? [item.item] : []));
  return epssEnricher.enrich(testAdvisory({ id: "a", name: "RHSA-1", aliases }), records);
}

/** The number of blocks in a reader's documents. */
async function blocksOf(feeds: FeedReader): Promise<number> {
  return (await itemsOf(epssEnricher.updater, feeds)).length;
}

describe("epssEnricher", () => {
  it.each([
    ["text", scores],
    ["gzip", gzipSync(scores)],
  ])("reads scores from %s", async (_, document) => {
    const made = { modelVersion: "v2023.03.01", date: "2024-10-25T00:00:00+0000" };

    expect(await factsOf(["CVE-1999-0005", "CVE-1999-0006", "CVE-1999-0007"], document)).toEqual([
      { ...made, cve: "CVE-1999-0005", epss: 0.91963, percentile: 0.9903 },
      { ...made, cve: "CVE-1999-0007", epss: 0.00007, percentile: 0.32734 },
    ]);
    expect(await factsOf(["CVE-1999-0006"], document)).toBeUndefined();
  });

  it("keeps scores of a hundred CVE ids together, in any order", async () => {
    const ids = [
      "CVE-2024-10000",
      "CVE-2024-1000",
      "CVE-2024-10099",
      "CVE-2024-1099",
      "CVE-2024-10100",
      "CVE-2024-1001",
    ];
    const items = await read(`cve,epss,percentile\n${ids.map((id) => `${id},0.1,0.2\n`).join("")}`);

    const tags = items.flatMap((item) => (item.kind === "item" ? item.item.tags : []));
    expect(tags).toEqual(["CVE-2024-100xx", "CVE-2024-10xx", "CVE-2024-101xx"]);
    const advisory = testAdvisory({ id: "a", name: "CVE-2024-10099", aliases: ["CVE-2024-1000", "CVE-2024-10000"] });
    expect([...epssEnricher.tags(advisory)]).toEqual(["CVE-2024-100xx", "CVE-2024-10xx"]);
  });

  it.each(["CVE-1999-0006", "CVE-1999-0006,0.1", "CVE-1,0.1,0.1", "CVE-1999-0006,0.1,2", "CVE-1999-0006,x,0.1", ""])(
    "leaves out the line %j and keeps the others",
    async (line) => {
      const items = await read(scores.replace("CVE-1999-0007", `${line}\nCVE-1999-0007`));

      expect(items).toMatchObject([
        { kind: "problem", message: expect.stringContaining(JSON.stringify(line)) },
        {
          item: {
            record: [
              "v2023.03.01",
              expect.any(String),
              { "CVE-1999-0005": [0.91963, 0.9903], "CVE-1999-0007": [7e-5, 0.32734] },
            ],
          },
        },
      ]);
    },
  );

  it.each([
    ["a page", "<!doctype html>\n<html>\n</html>\n", 'expected the line "cve,epss,percentile"'],
    ["truncated gzip", gzipSync(scores).subarray(0, -10), "memory"],
    ["damaged gzip", gzipSync(scores).fill(0, 20, 30), "memory"],
    ["a document without scores", `${about}\n`, "expected scores, found the end"],
    ["nothing", "", "expected scores, found the end"],
  ])("refuses %s", async (_, document, message) => {
    const refused = { code: "malformed_feed", message: expect.stringContaining(message) };

    await expect(read(document)).rejects.toMatchObject(refused);
  });

  it("finds every score of an unordered document, which is not in memory as a whole", async () => {
    const ids = Array.from({ length: 30_000 }, (_, at) => `CVE-2024-${10_000 + ((at * 7919) % 30_000)}`);
    const document = `cve,epss,percentile\n${ids.map((id) => `${id},0.1,0.2\n`).join("")}`;
    const items = await read(document);

    expect(items.length).toBeGreaterThan(300);
    expect(await factsOf(ids, document)).toHaveLength(30_000);
  });

  it("keeps each hundred together if ids are ordered as text", async () => {
    const ids = Array.from({ length: 30_000 }, (_, at) => `CVE-2024-${1_000 + at}`).sort();

    expect(await read(`cve,epss,percentile\n${ids.map((id) => `${id},0.1,0.2\n`).join("")}`)).toHaveLength(300);
  });

  it.each([
    ["yesterday's", ["2026-01-01", "2025-12-31"], "2026-01-01"],
    ["those of the day before, if yesterday has none", ["2025-12-31"], "2025-12-31"],
    ["those of a week ago", ["2025-12-26", "2025-12-20"], "2025-12-26"],
  ])("reads %s if the location has none", async (_, days, newest) => {
    const dated = days.map((day) => [`epss_scores-${day}.csv.gz`, `cve,epss,percentile\nCVE-${day},0.1,0.1\n`]);
    const documents = Object.fromEntries(dated.map(([name, text]) => [name, gzipSync(text ?? "")]));
    const items = await itemsOf(epssEnricher.updater, feedReaderOf(documents));

    expect(items).toMatchObject([{ message: expect.stringContaining(`CVE-${newest}`) }]);
  });

  it("throws not_found if there are no scores for a week", async () => {
    const none = feedReaderOf({ "epss_scores-2025-12-25.csv.gz": gzipSync(scores) });

    await expect(epssEnricher.updater.update(none)).rejects.toMatchObject({ code: "not_found" });
  });

  it("prefers the location itself", async () => {
    const documents = { "": scores, "epss_scores-2026-01-01.csv.gz": gzipSync("cve,epss,percentile\n") };

    expect(await blocksOf(feedReaderOf(documents))).toBe(1);
  });

  it("reads the newest scores of a folder", async () => {
    const documents = {
      "epss_scores-2024-10-24.csv": "cve,epss,percentile\n",
      "epss_scores-2024-10-25.csv.gz": gzipSync(scores),
      "readme.txt": "x",
    };

    expect(await blocksOf(feedReaderOf(documents, { layout: "folder" }))).toBe(1);
  });

  it("is unchanged as long as the scores are", async () => {
    const feeds = feedReaderOf({ "epss_scores-2026-01-01.csv.gz": gzipSync(scores) });
    const first = await epssEnricher.updater.update(feeds);
    const fingerprint = first.kind === "snapshot" ? first.fingerprint : undefined;

    expect(await epssEnricher.updater.update(feeds, fingerprint)).toEqual({ kind: "unchanged" });
  });
});
