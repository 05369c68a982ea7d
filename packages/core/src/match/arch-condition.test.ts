import { describe, expect, it } from "vitest";
import type { ArchCondition } from "../model/advisory.ts";
import { archHolds } from "./arch-condition.ts";

describe("archHolds", () => {
  it.each<[ArchCondition["operation"], string, string | undefined, boolean]>([
    ["equals", "x86_64", "x86_64", true],
    ["equals", "x86_64", "aarch64", false],
    ["equals", "x86_64", "noarch", true],
    ["equals", "amd64", "all", true],
    ["equals", "noarch", "x86_64", true],
    ["equals", "x86_64", undefined, true],
    ["not equals", "s390x", "x86_64", true],
    ["not equals", "s390x", "s390x", false],
    ["not equals", "s390x", "noarch", true],
    ["pattern match", "amd64|x86_64|aarch64", "x86_64", true],
    ["pattern match", "amd64|x86_64|aarch64", "ppc64le", false],
    ["pattern match", "^(amd64|x86_64)$", "amd64", true],
    ["pattern match", "(?:i686|x86_64)", "i686", true],
    ["pattern match", "x86_64", "x86", false],
    ["pattern match", "noarch|src", "aarch64", true],
    ["pattern match", "(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false],
  ])("%s %s, package %s: %s", (operation, value, arch, holds) => {
    expect(archHolds({ operation, value }, arch)).toBe(holds);
  });

  it("holds without a condition", () => {
    expect(archHolds(undefined, "x86_64")).toBe(true);
  });

  it("looks at the first 64 alternatives only", () => {
    const value = `${Array.from({ length: 64 }, (_, i) => `arch${i}`).join("|")}|x86_64`;

    expect(archHolds({ operation: "pattern match", value }, "x86_64")).toBe(false);
  });
});
