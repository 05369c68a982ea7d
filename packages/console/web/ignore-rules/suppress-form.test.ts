import { describe, expect, it } from "vitest";
import { withoutVersion } from "./suppress-form.tsx";

describe("withoutVersion", () => {
  it.each([
    ["pkg:deb/debian/zlib1g@1:1.2.13?arch=amd64&distro=debian-12", "pkg:deb/debian/zlib1g"],
    ["pkg:npm/%40scope/name@1.0.0", "pkg:npm/%40scope/name"],
    ["pkg:golang/example.com/a/b?type=module", "pkg:golang/example.com/a/b"],
    ["pkg:golang/example.com/a#sub", "pkg:golang/example.com/a"],
    ["pkg:npm/name", "pkg:npm/name"],
  ])("of %s is %s", (purl, any) => {
    expect(withoutVersion(purl)).toBe(any);
  });
});
