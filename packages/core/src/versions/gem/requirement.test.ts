import { describe, expect, it } from "vitest";
import { satisfiesRequirement } from "./requirement.ts";

describe("satisfiesRequirement", () => {
  it.each([
    ["1.4.2", "~> 1.4.2", true],
    ["1.4.9", "~> 1.4.2", true],
    ["1.5", "~> 1.4.2", false],
    ["1.5.0.rc1", "~> 1.4.2", false],
    ["1.4.2.rc1", "~> 1.4.2", false],
    ["1.9", "~> 1.4", true],
    ["2.0", "~> 1.4", false],
    ["1.9", "~> 1", true],
    ["2", "~> 1", false],
    ["1.4.0.b", "~> 1.4.0.a", true],
    ["1.5.0.a", "~> 1.4.0.a", false],
    ["2.3.1", "~> 2.3, != 2.3.1", false],
    ["2.3.2", "~> 2.3, != 2.3.1", true],
    ["1.99999999999999999999", "~> 1.99999999999999999998", true],
    ["0.4", "> 0.1, < 0.5 || ~> 1.0", true],
    ["0.6", "> 0.1, < 0.5 || ~> 1.0", false],
    ["1.3", "1.3", true],
  ])("says of %s and %j: %s", (version, requirement, expected) => {
    expect(satisfiesRequirement(version, requirement)).toBe(expected);
  });

  it.each(["", ">= ", "=> 1", "~ 1", "1,", "~> junk"])("refuses %j", (requirement) => {
    expect(() => satisfiesRequirement("1.0", requirement)).toThrow(
      expect.objectContaining({ code: "malformed_version" }),
    );
  });
});
