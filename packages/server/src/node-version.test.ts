import { describe, expect, it } from "vitest";
import { nodeProblem } from "./node-version.ts";

describe("nodeProblem", () => {
  it.each([
    ["24.15.0", true],
    ["24.21.0", true],
    ["26.0.0", true],
    ["24.14.9", false],
    ["20.20.2", false],
  ])("%s is new enough: %s", (version, isEnough) => {
    expect(nodeProblem(version) === undefined).toBe(isEnough);
  });

  it("names the required and the found version and the remedy in one line", () => {
    expect(nodeProblem("20.20.2")).toMatch(
      /^plimsoll needs Node 24\.15 or later and was started on 20\.20\.2: .*npx plimsoll, or node_modules\/\.bin\/node node_modules\/\.bin\/plimsoll[^\n]*$/,
    );
  });
});
