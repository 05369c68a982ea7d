import { describe, expect, it } from "vitest";
import { dpkgVersions } from "../ecosystems/dpkg/version.ts";
import { satisfies } from "./constraint.ts";

describe("satisfies", () => {
  it.each([
    ["1.0", "= 1.0-0", true],
    ["1.0", "== 1.0", true],
    ["1.0", "1.0", true],
    ["1.0", "!= 1.0", false],
    ["1.0~rc1", "<1.0", true],
    ["1.0", "< 1.0", false],
    ["1.0", "<=1.0", true],
    ["1.0", "> 1.0", false],
    ["1.0", ">=1.0", true],
    ["1.5", ">= 1.0, < 2.0", true],
    ["2.0", ">= 1.0, < 2.0", false],
    ["2.5", ">= 1.0, < 2.0 || >= 2.5", true],
    ["2.2", ">= 1.0, < 2.0 || >= 2.5", false],
    ["1:0.1", "> 9", true],
  ])("says of %s and %j: %s", (version, constraint, expected) => {
    expect(satisfies(dpkgVersions, version, constraint)).toBe(expected);
  });

  it.each(["", " ", "<", "!1.0", "~> 1.0", ">= 1.0,", "|| 1.0", "< a:1", "> > 1"])("refuses %j", (constraint) => {
    expect(() => satisfies(dpkgVersions, "1.0", constraint)).toThrow(
      expect.objectContaining({ code: "malformed_version" }),
    );
  });

  it("refuses a malformed version", () => {
    expect(() => satisfies(dpkgVersions, "a:1", "> 1.0")).toThrow(
      expect.objectContaining({ code: "malformed_version" }),
    );
  });
});
