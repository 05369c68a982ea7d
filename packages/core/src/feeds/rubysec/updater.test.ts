import { describe, expect, it } from "vitest";
import { findRange } from "../../match/range.ts";
import type { Advisory } from "../../model/advisory.ts";
import { gemVersions } from "../../versions/gem/version.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { rubysecUpdater } from "./updater.ts";

async function read(lines: readonly string[], file = "gems/json/CVE-2013-0269.yml") {
  const text = ["---", "gem: json", "title: A flaw", ...lines].join("\n");
  return itemsOf(rubysecUpdater, feedReaderOf({ [file]: text }, { layout: "folder" }));
}

async function advisoryOf(lines: readonly string[], file?: string): Promise<Advisory | undefined> {
  const [first] = await read(lines, file);
  return first?.kind === "item" ? first.item : undefined;
}

const json = ["patched_versions:", '- "~> 1.5.5"', '- "~> 1.6.8"', '- ">= 1.7.7"'];

describe("rubysecUpdater", () => {
  it.each<[readonly string[], string, boolean]>([
    [json, "1.5.4", true],
    [json, "1.5.5", false],
    [json, "1.5.9", false],
    [json, "1.6.0.rc1", true],
    [json, "1.6.7", true],
    [json, "1.6.8", false],
    [json, "1.7.7.pre", true],
    [json, "1.7.7", false],
    [["unaffected_versions:", "- < 1.2"], "1.1", false],
    [["unaffected_versions:", "- < 1.2"], "1.2", true],
    [["unaffected_versions:", "- <= 1.2"], "1.2", false],
    [["unaffected_versions:", "- <= 1.2"], "1.2.0.1", true],
    [["unaffected_versions:", '- "> 1.2"'], "1.2", true],
    [["unaffected_versions:", '- "> 1.2"'], "1.3", false],
    [["patched_versions:", '- "~> 4.2.5, >= 4.2.5.1"'], "4.2.5", true],
    [["patched_versions:", '- "~> 4.2.5, >= 4.2.5.1"'], "4.2.5.1", false],
    [["patched_versions:", '- "~> 4.2.5, >= 4.2.5.1"'], "4.3.0", true],
    [["patched_versions:", "- 1.2.3"], "1.2.3", false],
    [["patched_versions:", "- 1.2.3"], "1.2.4", true],
    [["patched_versions:"], "9.9", true],
    [[], "9.9", true],
  ])("%j: %s is affected: %s", async (lines, version, isAffected) => {
    const ranges = (await advisoryOf(lines))?.ranges ?? [];

    expect(findRange(gemVersions, version, { ranges, versions: [] }).kind === "in-range").toBe(isAffected);
  });

  it("keeps what an advisory says", async () => {
    const lines = [
      "cve: 2013-0269",
      "ghsa: x457-cw4h-hq5f",
      "osvdb: 101137",
      "url: https://example.org/1",
      "date: 2013-02-12",
      "cvss_v2: 9.0",
      "related:",
      "  url:",
      "  - https://example.org/2",
      ...json,
    ];

    expect(await advisoryOf(lines)).toEqual({
      id: "rubysec/CVE-2013-0269/RubyGems/json",
      updater: "rubysec",
      name: "CVE-2013-0269",
      aliases: ["GHSA-x457-cw4h-hq5f", "OSVDB-101137"],
      ecosystem: "RubyGems",
      packageName: "json",
      packageKind: "BINARY",
      status: "affected",
      ranges: [{ fixed: "1.5.5" }, { introduced: "1.6.A", fixed: "1.6.8" }, { introduced: "1.7.A", fixed: "1.7.7" }],
      versions: [],
      links: ["https://example.org/1", "https://example.org/2"],
      description: "A flaw",
      issuedAt: Date.UTC(2013, 1, 12),
      severity: "9.0",
      normalizedSeverity: "High",
    });
  });

  it("leaves it open whether a flaw of one platform's gem is there", async () => {
    expect(await advisoryOf(["platform: jruby"])).toMatchObject({ status: "undetermined" });
  });

  it.each([
    ["a requirement", ["patched_versions:", '- "!! 1"']],
    ["a version", ["patched_versions:", '- ">= ..1"']],
    ["a list", ["patched_versions: 7"]],
  ])("reports %s that is malformed", async (_, lines) => {
    expect(await read(lines)).toMatchObject([{ kind: "problem" }]);
  });

  it("says nothing of implementations of Ruby", async () => {
    expect(await read(["engine: jruby"])).toEqual([]);
  });
});
