import { describe, expect, it } from "vitest";
import { parseDigest } from "../model/digest.ts";
import { languageKey } from "../model/package.ts";
import type { CoalescedPackage } from "../plugins/coalescer.ts";
import { reportMaps } from "./report-maps.ts";

const introducedIn = parseDigest(`sha256:${"1".repeat(64)}`);

function found(name: string, repository: string): CoalescedPackage {
  return {
    package: { name, version: "5.3.1", kind: "BINARY" },
    packageDb: `${name}/METADATA`,
    introducedIn,
    repositories: [{ name: repository, key: languageKey }],
  };
}

describe("reportMaps", () => {
  it("has the place of the image itself before that of a system in a folder", () => {
    const places: readonly CoalescedPackage[] = [
      { ...found("six", "pypi"), packageDb: "opt/rootfs/var/lib/dpkg/status", root: "opt/rootfs" },
      { ...found("six", "pypi"), packageDb: "srv/status" },
      { ...found("six", "pypi"), packageDb: "var/lib/dpkg/status" },
    ];
    const [listed = []] = Object.values(reportMaps(places, []).environments);

    expect(listed.map(({ packageDb }) => packageDb)).toEqual([
      "srv/status",
      "var/lib/dpkg/status",
      "opt/rootfs/var/lib/dpkg/status",
    ]);
  });

  it.each([
    ["pypi", "PyYAML", "pyyaml", 1],
    ["pypi", "zope.interface", "Zope_Interface", 1],
    ["nuget", "Newtonsoft.Json", "newtonsoft.json", 1],
    ["packagist", "Vendor/Name", "vendor/name", 1],
    ["npm", "JSONStream", "jsonstream", 2],
    ["swift", "github.com/Apple/swift-nio", "github.com/apple/swift-nio", 1],
    ["rubygems", "RedCloth", "redcloth", 2],
    ["maven", "g:Artifact", "g:artifact", 2],
    ["go", "github.com/BurntSushi/toml", "github.com/burntsushi/toml", 2],
    ["crates.io", "Inflector", "inflector", 2],
    ["cran", "R6", "r6", 2],
    ["cpan", "JSON-XS", "json-xs", 2],
    ["hackage", "HTTP", "http", 2],
    ["conda", "r-Rcpp", "r-rcpp", 2],
  ])("of %s: %s and %s are %i package in two places", (repository, one, other, count) => {
    const { packages, environments } = reportMaps([found(one, repository), found(other, repository)], []);

    expect(Object.keys(packages)).toHaveLength(count);
    expect(
      Object.values(environments)
        .flatMap((places) => places.map(({ packageDb }) => packageDb))
        .sort(),
    ).toEqual([`${one}/METADATA`, `${other}/METADATA`].sort());
  });
});
