import { describe, expect, it } from "vitest";
import { findRange } from "../../match/range.ts";
import type { Json } from "../../model/json-value.ts";
import { semverVersions } from "../../versions/semver/version.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { nodejsUpdater } from "./updater.ts";

async function read(more: Readonly<Record<string, Json>>, name = "vuln/npm/384.json") {
  const document = { id: 384, module_name: "a", title: "Path Traversal", ...more };
  const feeds = feedReaderOf({ [name]: JSON.stringify(document), "vuln/npm/index.json": "{}" }, { layout: "folder" });
  return itemsOf(nodejsUpdater, feeds);
}

describe("nodejsUpdater", () => {
  it("keeps what an advisory says", async () => {
    const more = {
      cves: ["CVE-2018-3713"],
      publish_date: "2018-03-02",
      vulnerable_versions: "<1.4.3",
      patched_versions: ">=1.4.3",
      references: ["https://example.org/1", "see there"],
      cvss_vector: "CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:N",
      cvss_score: 8.6,
    };

    expect(await read(more)).toMatchObject([
      {
        item: {
          id: "nodejs/NSWG-ECO-384/npm/a",
          name: "NSWG-ECO-384",
          aliases: ["CVE-2018-3713"],
          ranges: [{ fixed: "1.4.3" }],
          links: ["https://example.org/1"],
          issuedAt: Date.UTC(2018, 2, 2),
          severity: more.cvss_vector,
          normalizedSeverity: "High",
        },
      },
    ]);
  });

  it.each<[string | null, string | null, Json]>([
    ["<=1.4.2", ">=1.4.3", [{ fixed: "1.4.3" }]],
    ["<=1.4.2", null, [{ lastAffected: "1.4.2" }]],
    [
      "<=1.0.0 || >=2.0.0 <=2.1.0",
      ">=1.0.1 <2.0.0 || >=2.1.1",
      [{ fixed: "1.0.1" }, { introduced: "2.0.0", fixed: "2.1.1" }],
    ],
    ["*", "<0.0.0", [{}]],
    [null, ">=1.2.0", [{ fixed: "1.2.0" }]],
    [null, null, [{}]],
    [">=9.9.0 <9.0.0", null, []],
    ["2.1.x", null, [{ introduced: "2.1.0-0", fixed: "2.2.0-0" }]],
    ["^1.2.3", null, [{ introduced: "1.2.3", fixed: "2.0.0-0" }]],
    ["~1.2.3", null, [{ introduced: "1.2.3", fixed: "1.3.0-0" }]],
    [">1.2.3", null, [{ introduced: "1.2.4-0" }]],
    ["<=v1.0.0-alpha1", null, [{ lastAffected: "1.0.0-alpha1" }]],
  ])("vulnerable %s, patched %s: %j", async (vulnerable, patched, ranges) => {
    expect(await read({ vulnerable_versions: vulnerable, patched_versions: patched })).toMatchObject([
      { item: { ranges } },
    ]);
  });

  it("hides no prerelease", async () => {
    const [first] = await read({ vulnerable_versions: "<2.0.0" });
    const ranges = first?.kind === "item" ? first.item.ranges : [];

    expect(findRange(semverVersions, "2.0.0-rc.1", { ranges, versions: [] }).kind).toBe("in-range");
  });

  it.each<[string, Readonly<Record<string, Json>>]>([
    ["a range", { vulnerable_versions: "what?" }],
    ["a number", { id: "x" }],
    ["a module", { module_name: 7 }],
  ])("reports %s that is malformed", async (_, more) => {
    expect(await read(more)).toMatchObject([{ kind: "problem" }]);
  });

  it("says nothing of the program node, and refuses a folder without advisories", async () => {
    expect(await read({}, "vuln/core/1.json")).toEqual([]);
    await expect(read({}, "vuln/npm/1.txt")).rejects.toMatchObject({ code: "malformed_feed" });
  });
});
