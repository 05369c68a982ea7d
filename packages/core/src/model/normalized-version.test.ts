import { describe, expect, it } from "vitest";
import { findNormalizedVersion } from "./normalized-version.ts";

describe("findNormalizedVersion", () => {
  it.each([
    ["golang", "v0.6.0", "semver:0.0.6.0.0.0.0.0.0.0"],
    ["golang", "v1.2.3+incompatible", "semver:0.1.2.3.0.0.0.0.0.0"],
    ["golang", "v0.0.0-20210220032951-036812b2e83c", "semver:0.0.0.0.0.0.0.0.0.0"],
    ["golang", "go1.21.5", "semver:0.1.21.5.0.0.0.0.0.0"],
    ["golang", "(devel)", undefined],
    ["semver", "4.17.21", "semver:0.4.17.21.0.0.0.0.0.0"],
    ["semver", "1.0.0-rc.1", "semver:0.1.0.0.0.0.0.0.0.0"],
    ["semver", "2147483647.0.0", "semver:0.2147483647.0.0.0.0.0.0.0.0"],
    ["semver", "2147483648.0.0", undefined],
    ["semver", "latest", undefined],
    ["pep440", "1.11.1", "pep440:0.1.11.1.0.0.0.0.0.0"],
    ["pep440", "1!2.3.4.5.6.7", "pep440:1.2.3.4.5.6.0.0.0.0"],
    ["pep440", "1.0a2", "pep440:0.1.0.0.0.0.-3.2.0.0"],
    ["pep440", "1.0b1.dev3", "pep440:0.1.0.0.0.0.-2.1.0.-3"],
    ["pep440", "1.0rc1", "pep440:0.1.0.0.0.0.-1.1.0.0"],
    ["pep440", "1.0.post4+local", "pep440:0.1.0.0.0.0.0.0.4.0"],
    ["pep440", "1.0.post4.dev1", "pep440:0.1.0.0.0.0.0.0.4.-1"],
    ["pep440", "1.0.dev7", "pep440:0.1.0.0.0.0.-2147483641.0.0.0"],
    ["pep440", "20240101000000", undefined],
    ["pep440", "not a version", undefined],
    ["dpkg", "1.2.3", undefined],
    ["rpm", "1.2.3-1", undefined],
    ["apk", "1.2.3-r0", undefined],
  ])("of the %s version %s is %s", (scheme, text, normalized) => {
    expect(findNormalizedVersion(scheme, text)).toBe(normalized);
  });
});
