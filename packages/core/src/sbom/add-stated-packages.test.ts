import { describe, expect, it } from "vitest";
import { parseDigest } from "../model/digest.ts";
import { addStatedPackages } from "./add-stated-packages.ts";
import { purlReport } from "./purl-report.ts";
import { readSbom } from "./read-sbom.ts";

const image = parseDigest(`sha256:${"0".repeat(64)}`);
const document = parseDigest(`sha256:${"1".repeat(64)}`);

function statedIn(...purls: readonly string[]) {
  const components = purls.map((purl) => ({ type: "library", name: "any", version: "1", purl }));
  const bom = JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components });
  return readSbom(Buffer.from(bom), "bom").packages.map((each) => ({ ...each, document }));
}

const deb = "pkg:deb/debian/zlib1g@1?distro=debian-12";
const npm = "pkg:npm/left-pad@1.3.0";

describe("addStatedPackages", () => {
  it.each<[title: string, shown: readonly string[], stated: readonly string[], added: readonly string[]]>([
    ["packages that the layers do not have", [], [npm, deb], [npm, deb]],
    ["a package of a language beside others of it", ["pkg:npm/lodash@4.17.20"], [npm], [npm]],
    ["another version of a package in the layers", ["pkg:npm/left-pad@1.2.0"], [npm], [npm]],
    ["the same name in another language", ["pkg:pypi/left-pad@1.3.0"], [npm], [npm]],
    ["no package that the layers have", [npm], [npm], []],
    [
      "a module of Go once, with and without v before its version",
      [],
      ["pkg:golang/a.b/c@v1.2.3", "pkg:golang/a.b/c@1.2.3"],
      ["pkg:golang/a.b/c@v1.2.3"],
    ],
    ["no package of a distribution if the layers have one", ["pkg:deb/debian/bash@5?distro=debian-12"], [deb], []],
    ["a package of a distribution beside packages of a language", [npm], [deb], [deb]],
    ["a package of two documents once", [], [npm, npm], [npm]],
  ])("adds %s", (_, shown, stated, added) => {
    const report = purlReport(shown, image);

    const extended = addStatedPackages(report, statedIn(...stated));

    expect(extended.added.map(({ purl }) => purl)).toEqual(added);
    expect(Object.keys(extended.report.packages)).toHaveLength(shown.length + added.length);
    expect(extended.report.packages).toMatchObject(report.packages);
    expect(extended.report.environments).toMatchObject(report.environments);
    expect(extended.report.coverage).toEqual(report.coverage);
  });

  it("adds a program that only a CPE name identifies, since there are advisories by CPE name", () => {
    const components = ["a", "b"].map((name) => ({ type: "application", name, version: "1" }));
    const cpe = "cpe:2.3:a:vendor:a:1:*:*:*:*:*:*:*";
    const bom = { bomFormat: "CycloneDX", specVersion: "1.6", components: [{ ...components[0], cpe }, components[1]] };
    const stated = readSbom(Buffer.from(JSON.stringify(bom)), "bom").packages.map((each) => ({ ...each, document }));

    const { added, unmatched } = addStatedPackages(purlReport([npm], image), [...stated, ...stated]);

    expect([added, unmatched].map((each) => each.map(({ package: { name } }) => name))).toEqual([["a"], ["b", "b"]]);
  });

  it("adds no package that a document lists as not for the run time", () => {
    const component = { type: "library", name: "left-pad", version: "1.3.0", purl: npm, scope: "excluded" };
    const bom = JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components: [component] });
    const stated = readSbom(Buffer.from(bom), "bom").packages.map((each) => ({ ...each, document }));

    expect(addStatedPackages(purlReport([], image), stated)).toMatchObject({ added: [], unmatched: [] });
    expect(stated).toHaveLength(1);
  });

  it("names the document of a package, and gives packages, releases and repositories new ids", () => {
    const report = purlReport([npm, "pkg:pypi/six@1.16.0"], image);

    const { packages, environments, repositories, distributions } = addStatedPackages(
      report,
      statedIn(deb, "pkg:cargo/serde@1.0.0"),
    ).report;

    const added = Object.values(packages).filter(({ id }) => environments[id]?.[0]?.introducedIn === document);
    expect(added.map(({ name }) => name)).toEqual(["serde", "zlib1g"]);
    const [cargo, debian] = added.map(({ id }) => environments[id]?.[0]);
    expect(distributions[debian?.distributionId ?? ""]).toMatchObject({ did: "debian", versionId: "12" });
    expect(cargo?.repositoryIds.map((id) => repositories[id]?.name)).toContain("crates.io");
    for (const [id, each] of Object.entries(packages)) expect(each.id).toBe(id);
  });

  it("lists packages that cannot be matched", () => {
    const { added, unmatched } = addStatedPackages(purlReport([], image), statedIn("pkg:no-such-type/thing@1", npm));

    expect([added, unmatched].map((some) => some.map(({ purl }) => purl))).toEqual([
      [npm],
      ["pkg:no-such-type/thing@1"],
    ]);
  });
});
