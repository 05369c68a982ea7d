import { describe, expect, it } from "vitest";
import { allUpdaters } from "../all.ts";
import { normalizeSeverity, vendorScales } from "./vendor-severity.ts";

/** Feeds that state no severity, or only CVSS scores, and databases of OSV records, whose words are those of the row osv. */
const withoutWords =
  "alpine wolfi chainguard php photon-cve nodejs rubysec nvd-cpe bitnami ghsa govulndb openeuler pypa rustsec".split(
    " ",
  );

describe("vendorScales", () => {
  it("has a row for each feed whose advisories are rated with words, with its source", () => {
    const rated = allUpdaters.map(({ name }) => name).filter((name) => !withoutWords.includes(name));

    expect([...vendorScales.keys()].sort()).toEqual(rated.sort());
    expect([...vendorScales.values()].filter(({ source }) => !/^https:\/\/\S+$/.test(source))).toEqual([]);
  });
});

describe("normalizeSeverity", () => {
  it.each([
    [
      "debian",
      "unimportant Negligible, low Low, medium Medium, high High, end-of-life Unknown, not yet assigned Unknown",
    ],
    ["ubuntu", "Negligible Negligible, Low Low, Medium Medium, High High, Critical Critical, untriaged Unknown"],
    ["redhat", "low Low, moderate Medium, important High, critical Critical, none Unknown"],
    ["suse", "low Low, moderate Medium, important High, critical Critical"],
    ["amazon", "low Low, medium Medium, important High, critical Critical"],
    ["oracle", "LOW Low, MODERATE Medium, IMPORTANT High, CRITICAL Critical, N/A Unknown"],
    ["photon", "Low Low, Moderate Medium, Important High, Critical Critical"],
    ["azurelinux", "Low Low, Medium Medium, High High, Critical Critical"],
    ["fedora", "low Low, medium Medium, high High, urgent Critical, unspecified Unknown, Moderate Medium"],
    ["rocky", "Low Low, Moderate Medium, Important High, Critical Critical, None Unknown"],
    ["alma", "Low Low, Moderate Medium, Important High, Critical Critical, None Unknown"],
    ["arch", "Low Low, Medium Medium, High High, Critical Critical, Unknown Unknown, important Unknown"],
    ["bottlerocket", "low Low, medium Medium, moderate Medium, important High, critical Critical"],
    ["osv", "LOW Low, MODERATE Medium, HIGH High, CRITICAL Critical, malicious Critical, none Negligible"],
    ["debian", "important Unknown, urgent Unknown, constructor Unknown"],
    ["of-a-plug-in", "high High, important High, urgent Unknown"],
  ])("maps the words of %s: %s", (feed, pairs) => {
    for (const pair of pairs.split(", ")) {
      const at = pair.lastIndexOf(" ");
      expect([pair, normalizeSeverity(feed, pair.slice(0, at))]).toEqual([pair, pair.slice(at + 1)]);
    }
  });

  it("is Unknown where the vendor says nothing", () => {
    expect(normalizeSeverity("debian", undefined)).toBe("Unknown");
  });
});
