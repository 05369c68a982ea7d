import type { Finding } from "@plimsoll/scanner";
import { describe, expect, it } from "vitest";
import { UsageError } from "./exit-code.ts";
import { isOfAll, parseFindingFilter, passes } from "./finding-filter.ts";

const parse = (text: string) => parseFindingFilter("--fail-on", text);

describe("parseFindingFilter", () => {
  it.each([
    ["high+", "High Critical"],
    ["high", "High Critical"],
    ["critical", "Critical"],
    ["HIGH,fixable", "High Critical"],
    ["high,exploited", "High Critical"],
    ["medium,epss>0.5", "Medium High Critical"],
    ["low,critical", "Low Critical"],
    ["high,low", "High Low"],
    ["low,high+", "Low High Critical"],
    ["fixable", "Unknown Negligible Low Medium High Critical"],
    ["unknown+", "Unknown Negligible Low Medium High Critical"],
    ["unknown", "Unknown Negligible Low Medium High Critical"],
    ["exploited", ""],
    ["epss>0.5,fixable", ""],
  ])("%s selects the severities %s", (text, severities) => {
    expect([...parse(text).severities].join(" ")).toBe(severities);
  });

  it.each([
    "",
    "hihg",
    "high++",
    "high,",
    "fixable+",
    "exploited+",
    "epss",
    "epss<0.5",
    "epss>1.5",
    "epss>x",
    "epss>0.1,epss>0.2",
  ])("rejects %j and names the flag", (text) => {
    expect(() => parse(text)).toThrow(UsageError);
    expect(() => parse(text)).toThrow("--fail-on");
  });

  it("names the severity as it was written", () => {
    expect(() => parse("hihg")).toThrow('"hihg"');
  });
});

describe("passes", () => {
  const exploited = { isExploited: true } as const;
  const likely = { epss: { probability: 0.5, percentile: 0.9 } } as const;

  it.each<
    [text: string, finding: Partial<Finding> | Partial<Finding["risk"]>, fixedIn: string | undefined, is: boolean]
  >([
    ["high+,fixable", { severity: "High" }, "1", true],
    ["high+,fixable", { severity: "High" }, undefined, false],
    ["high+", { severity: "Medium" }, "1", false],
    ["high", { severity: "Critical" }, undefined, true],
    ["high,low", { severity: "Critical" }, undefined, false],
    ["exploited", { severity: "Critical" }, undefined, false],
    ["exploited", { severity: "Unknown", ...exploited }, undefined, true],
    ["exploited,fixable", exploited, undefined, false],
    ["critical,exploited", { severity: "Low", ...exploited }, undefined, true],
    ["critical,exploited", { severity: "Critical" }, undefined, true],
    ["critical,exploited", { severity: "High" }, undefined, false],
    ["epss>0.4", likely, undefined, true],
    ["epss>0.5", likely, undefined, false],
    ["epss>=0.5", likely, undefined, true],
    ["epss>0.4", {}, undefined, false],
    ["high,epss>0.4", { severity: "High" }, undefined, true],
  ])("%s with %j fixed in %s: %s", (text, finding, fixedIn, expected) => {
    const severity = finding.severity ?? "Low";
    const risk = { isExploited: false, severity, hasFix: fixedIn !== undefined, ...finding };

    expect(passes(parse(text), { severity, risk, fixedIn })).toBe(expected);
  });
});

describe("isOfAll", () => {
  it.each([
    ["unknown+", true],
    ["unknown", true],
    ["unknown+,exploited", true],
    ["unknown+,fixable", false],
    ["fixable", false],
    ["negligible+", false],
    ["exploited", false],
  ])("of %s is %s", (text, expected) => {
    expect(isOfAll(parse(text))).toBe(expected);
  });
});
