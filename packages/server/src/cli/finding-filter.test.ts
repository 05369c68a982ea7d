import { describe, expect, it } from "vitest";
import { UsageError } from "./exit-code.ts";
import { parseFindingFilter, passes } from "./finding-filter.ts";

describe("parseFindingFilter", () => {
  it.each([
    ["high+", "High Critical", false],
    ["high", "High", false],
    ["HIGH+,fixable", "High Critical", true],
    ["low,critical", "Low Critical", false],
    ["fixable", "Unknown Negligible Low Medium High Critical", true],
    ["unknown+", "Unknown Negligible Low Medium High Critical", false],
  ])("%s", (text, severities, fixable) => {
    const filter = parseFindingFilter("--fail-on", text);

    expect([...filter.severities].join(" ")).toBe(severities);
    expect(filter.fixable).toBe(fixable);
  });

  it.each(["", "hihg", "high++", "high,", "fixable+"])("rejects %j and names the flag", (text) => {
    expect(() => parseFindingFilter("--fail-on", text)).toThrow(UsageError);
    expect(() => parseFindingFilter("--fail-on", text)).toThrow("--fail-on");
  });
});

describe("passes", () => {
  it.each([
    ["high+,fixable", "High", "1", true],
    ["high+,fixable", "High", undefined, false],
    ["high+", "Medium", "1", false],
    ["high+", "Critical", undefined, true],
  ] as const)("%s with %s fixed in %s", (text, severity, fix, expected) => {
    expect(passes(parseFindingFilter("--show", text), severity, fix)).toBe(expected);
  });
});
