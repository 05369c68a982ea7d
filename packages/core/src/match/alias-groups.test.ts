import { describe, expect, it } from "vitest";
import { python } from "../ecosystems/python/index.ts";
import type { Advisory } from "../model/advisory.ts";
import { languageKey } from "../model/package.ts";
import { sampleAdvisory, samplePackage, sampleRecord } from "./fixtures/samples.ts";
import { matchRecords } from "./match-records.ts";

const records = [sampleRecord("none", samplePackage("django 4.0"), [{ id: "1", name: "pypi", key: languageKey }])];

/** `UPDATER/NAME ALIAS …`, with more of it. */
function django(text: string, more: Partial<Advisory> = {}): Advisory {
  const [id = "", ...aliases] = text.split(" ");
  const [updater = "", name = ""] = id.split("/");
  return sampleAdvisory("PyPI", "django", { id, updater, name, aliases, ranges: [{ fixed: "4.1" }], ...more });
}

const never = { status: "not-affected" } as const;

describe("one vulnerability in several feeds", () => {
  it.each<[string, readonly Advisory[], readonly string[]]>([
    [
      "names that only a less preferred one knows",
      [django("osv/GHSA-1"), django("osv/PYSEC-1 CVE-2024-0001 GHSA-1", { ranges: [{}] })],
      ["GHSA-1 CVE-2024-0001 PYSEC-1"],
    ],
    [
      "one finding where a third one names both",
      [django("osv/GHSA-1"), django("osv/PYSEC-1"), django("osv/CVE-2024-0001 GHSA-1 PYSEC-1", { ranges: [{}] })],
      ["PYSEC-1 CVE-2024-0001 GHSA-1"],
    ],
    [
      "two findings where their CVE ids differ",
      [
        django("osv/GHSA-1 CVE-2024-0001"),
        django("osv/PYSEC-1 CVE-2024-0002"),
        django("osv/X-1 GHSA-1 PYSEC-1", { ranges: [{}] }),
      ],
      ["GHSA-1 CVE-2024-0001", "PYSEC-1 CVE-2024-0002"],
    ],
    [
      "nothing of an advisory about several",
      [django("osv/GHSA-1"), django("osv/DSA-1 CVE-2024-0001 CVE-2024-0002 GHSA-1", { ranges: [{}] })],
      ["DSA-1 CVE-2024-0001 CVE-2024-0002 GHSA-1", "GHSA-1"],
    ],
  ])("has %s", (_, advisories, named) => {
    for (const given of [advisories, advisories.toReversed()]) {
      const { affected } = matchRecords(python.matchers, { records, advisories: given });

      expect(affected.map(({ advisory: { name, aliases } }) => [name, ...aliases].join(" ")).sort()).toEqual(named);
    }
  });

  it.each<[string, readonly Advisory[], readonly string[]]>([
    [
      "is found once, by the language's own feed",
      [
        django("osv/GHSA-1 CVE-2024-0001 PYSEC-1"),
        django("ghsa/GHSA-1 CVE-2024-0001"),
        django("pypa/PYSEC-1 CVE-2024-0001 GHSA-1"),
        django("osv/PYSEC-1 CVE-2024-0001 GHSA-1"),
      ],
      ["pypa/PYSEC-1"],
    ],
    [
      "is one also where only one of them knows its CVE id",
      [django("ghsa/GHSA-1"), django("pypa/PYSEC-1 CVE-2024-0001 GHSA-1")],
      ["pypa/PYSEC-1"],
    ],
    [
      "is found with a fix rather than without",
      [django("ghsa/GHSA-1 CVE-2024-0001"), django("pypa/PYSEC-1 CVE-2024-0001", { ranges: [{}] })],
      ["ghsa/GHSA-1"],
    ],
    [
      "is two where no name is shared",
      [django("ghsa/GHSA-1"), django("pypa/PYSEC-1")],
      ["ghsa/GHSA-1", "pypa/PYSEC-1"],
    ],
    [
      "is none where one states that the package is not affected",
      [django("osv/GHSA-1 CVE-2024-0001"), django("pypa/PYSEC-1 CVE-2024-0001", never)],
      [],
    ],
    [
      "is none where the statement shares another name than a CVE id",
      [django("ghsa/GHSA-1"), django("pypa/PYSEC-1 CVE-2024-0001 GHSA-1", never)],
      [],
    ],
    [
      "stays where the statement is about another",
      [django("ghsa/GHSA-1 CVE-2024-0001"), django("pypa/PYSEC-2 CVE-2024-0002", never)],
      ["ghsa/GHSA-1"],
    ],
  ])("%s", (_, advisories, ids) => {
    const { affected } = matchRecords(python.matchers, { records, advisories });

    expect(affected.map(({ advisory }) => advisory.id).sort()).toEqual(ids);
  });
});
