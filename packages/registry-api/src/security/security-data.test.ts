import { type FixablePackage, upgradesOf } from "@plimsoll/registry/security/upgrades";
import { describe, expect, it } from "vitest";

/** A package whose vulnerabilities these versions fix; the empty text: none. */
function fixable(Purl: string, fixes: readonly string[], source?: string): FixablePackage {
  const Name = Purl.split("/").at(-1)?.split("@", 1)[0] ?? "";
  const Vulnerabilities = fixes.map((FixedBy) => ({ FixedBy }));
  return { Name, Version: "1", Purl, Vulnerabilities, Source: source ? { Name: source, Version: "1" } : undefined };
}

describe("upgradesOf", () => {
  it.each([
    [
      "the highest fix by the order of dpkg",
      "pkg:deb/debian/a@1",
      ["2.36-9+deb12u4", "2.36-9+deb12u10"],
      "2.36-9+deb12u10",
    ],
    ["the highest fix by the order of rpm", "pkg:rpm/redhat/a@1", ["1:1.0-1", "2.0-1"], "1:1.0-1"],
    ["the highest fix by the order of npm", "pkg:npm/a@1", ["1.9.0", "1.10.0", "1.10.0-rc.1"], "1.10.0"],
    ["the highest fix by the order of Python", "pkg:pypi/a@1", ["2.0", "2.0.post1", "2.0rc1"], "2.0.post1"],
    ["the only fix, whatever its form", "pkg:npm/a@1", ["", "not a version", "not a version"], "not a version"],
    ["no version without a fix", "pkg:npm/a@1", [""], undefined],
    ["no version where a fix is no version", "pkg:npm/a@1", ["1.0.0", "not a version"], undefined],
    ["no version where the order is not known", "pkg:githubactions/a@1", ["1", "2"], undefined],
    ["no version without a package URL", "", ["1", "2"], undefined],
  ])("is %s", (_, purl, fixes, upgrade) => {
    const found = fixable(purl, fixes);

    expect(upgradesOf([found])(found)).toBe(upgrade);
  });

  it("is one version for all packages that are built from one source, and for no other", () => {
    const [ssl, crypto, tool, other] = [
      fixable("pkg:deb/debian/libssl3@1", ["3.0.9-1"], "openssl"),
      fixable("pkg:deb/debian/libcrypto3@1", ["3.0.15-1", ""], "openssl"),
      fixable("pkg:deb/debian/openssl@1", []),
      fixable("pkg:npm/openssl@1", ["9.0.0"]),
    ];

    const upgrade = upgradesOf([ssl, crypto, tool, other]);

    expect([ssl, crypto, tool, other].map(upgrade)).toEqual(["3.0.15-1", "3.0.15-1", "3.0.15-1", "9.0.0"]);
  });
});
