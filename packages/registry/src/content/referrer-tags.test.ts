import { describe, expect, it } from "vitest";
import { isReferrerTag } from "./referrer-tags.ts";

describe("isReferrerTag", () => {
  it.each([
    [`sha256-${"a".repeat(64)}.sig`, true],
    [`sha256-${"a".repeat(64)}.sbom`, true],
    [`sha256-${"a".repeat(63)}.sig`, false],
    [`sha256-${"a".repeat(64)}.exe`, false],
    ["latest", false],
  ])("of %s is %s", (name, is) => {
    expect(isReferrerTag(name)).toBe(is);
  });
});
