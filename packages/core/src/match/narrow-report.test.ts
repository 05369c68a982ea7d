import { describe, expect, it } from "vitest";
import { narrowReport } from "./narrow-report.ts";
import type { VulnerabilityReport } from "./report.ts";

const vulnerability = (name: string, aliases: readonly string[] = []) => ({ name, aliases });
const report = {
  vulnerabilities: {
    "1": vulnerability("CVE-2021-44228", ["GHSA-jfh8-c2jp-5v3q"]),
    "2": vulnerability("CVE-2021-442280"),
    "3": vulnerability("ALPINE-CVE-2021-44228"),
    "4": vulnerability("RHSA-2021:1", ["CVE-2021-44228", "CVE-2021-9999"]),
  },
  packageVulnerabilities: { "10": ["2", "1"], "11": ["2"], "12": ["3", "4"] },
  undecided: [
    { packageId: "10", name: "CVE-2021-44228", reason: "no-version" },
    { packageId: "10", name: "CVE-2021-9999", reason: "no-version" },
  ],
  suppressed: [
    { packageId: "13", vulnerabilityId: "2" },
    { packageId: "13", vulnerabilityId: "1" },
  ],
  feeds: ["stays"],
} as unknown as VulnerabilityReport;

describe("narrowReport", () => {
  it.each([
    [["CVE-2021-44228"], { "10": ["1"], "12": ["3", "4"] }],
    [["cve-2021-44228"], { "10": ["1"], "12": ["3", "4"] }],
    [["ghsa-jfh8-c2jp-5v3q"], { "10": ["1"] }],
    [["CVE-2021-9999"], { "12": ["4"] }],
    [["CVE-2021-4422"], {}],
  ])("keeps what is known as %j", (names, expected) => {
    expect(narrowReport(report, names).packageVulnerabilities).toEqual(expected);
  });

  it("keeps undecided and suppressed findings of the same vulnerability, and all that is about the image", () => {
    const narrowed = narrowReport(report, ["CVE-2021-44228"]);

    expect(narrowed.undecided).toEqual([report.undecided[0]]);
    expect(narrowed.suppressed).toEqual([report.suppressed[1]]);
    expect(Object.keys(narrowed.vulnerabilities)).toEqual(["1", "3", "4"]);
    expect(narrowed.feeds).toEqual(["stays"]);
  });
});
