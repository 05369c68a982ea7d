import { describe, expect, it } from "vitest";
import { sampleAdvisory, samplePackage } from "../../match/fixtures/samples.ts";
import { languageKey, mainModuleKey } from "../../model/package.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";
import { go } from "./index.ts";

function recordOf(name: string, version: string): IndexRecord {
  const repositories = [{ id: "1", name: "go", key: languageKey }];
  return { package: { ...samplePackage(`${name} 1`), version }, packageDb: "usr/bin/app", repositories };
}

describe("go", () => {
  it.each([
    ["stdlib", "1.21rc2", { introduced: "1.21.0-0", fixed: "1.21.0-rc.3" }, "affected"],
    ["stdlib", "1.21rc3", { introduced: "1.21.0-0", fixed: "1.21.0-rc.3" }, "fixed"],
    ["stdlib", "1.21.0-rc.2", { introduced: "1.21.0-0", fixed: "1.21.0-rc.3" }, "affected"],
    ["stdlib", "1.21.0-0", { introduced: "1.20.0", fixed: "1.21.0-rc.3" }, "affected"],
    ["stdlib", "1.21.0", { introduced: "1.21.0-0", fixed: "1.21.1" }, "affected"],
    ["stdlib", "1.20.9", { introduced: "1.21.0-0", fixed: "1.21.1" }, "outside-range"],
    ["stdlib", "1.22.1-custom", { fixed: "1.22.2" }, "affected"],
    ["stdlib", "", { fixed: "1.22.2" }, "version-unknown"],
    ["toolchain", "1.26rc1", { fixed: "1.26.0-rc.2" }, "affected"],
    ["golang.org/x/net", "v0.7.0", { fixed: "0.17.0" }, "affected"],
    [
      "golang.org/x/crypto",
      "v0.0.0-20190308221718-c2843e01d9a2",
      { fixed: "0.0.0-20200220183623-bac4c82f6975" },
      "affected",
    ],
    [
      "golang.org/x/crypto",
      "v0.0.0-20200220183623-bac4c82f6975",
      { fixed: "0.0.0-20200220183623-bac4c82f6975" },
      "fixed",
    ],
    ["github.com/docker/docker", "v20.10.0+incompatible", { fixed: "20.10.3+incompatible" }, "affected"],
    ["a.example/b", "v1.2.3+dirty", { fixed: "1.2.3" }, "fixed"],
    ["a.example/b", "v1.2.4-0.20240102030405-abcdef123456", { fixed: "1.2.4" }, "affected"],
    ["a.example/b", "", { fixed: "1.2.4" }, "version-unknown"],
  ])("judges %s %s by %j: %s", (name, version, range, expected) => {
    const verdict = go.matchers[0]?.judge(recordOf(name, version), sampleAdvisory("Go", name, { ranges: [range] }));

    expect(verdict?.kind === "affected" ? verdict.kind : verdict?.reason).toBe(expected);
  });

  const commit = "20240102030405-abcdef123456";
  const untagged = `v0.0.0-${commit}+dirty`;

  it.each([
    // releases say nothing about it
    [untagged, commit, { fixed: "1.2.4" }, "version-unknown"],
    [untagged, commit, { introduced: "1.2.0", fixed: "1.2.4" }, "version-unknown"],
    [untagged, commit, { introduced: "1.2.0" }, "version-unknown"],
    ["(devel)", "unknown-commit", { fixed: "1.2.4" }, "version-unknown"],
    ["(devel)", "unknown-commit", { fixed: "0.0.0-20240102030406-abcdef123456" }, "version-unknown"],
    ["", "unknown-commit", { fixed: "1.2.4" }, "version-unknown"],
    // times of commits do, and an advisory for all versions
    [untagged, commit, { fixed: "0.0.0-20240102030406-abcdef123456" }, "affected"],
    [untagged, commit, { fixed: "0.0.0-20240102030405-abcdef123456" }, "fixed"],
    [untagged, commit, { introduced: "0.0.0-20250102030405-abcdef123456", fixed: "1.2.4" }, "outside-range"],
    ["(devel)", commit, { fixed: "0.0.0-20240102030406-abcdef123456" }, "affected"],
    ["(devel)", "unknown-commit", {}, "affected"],
    // a release that a document marks as a main module
    ["v1.2.3", "unknown-commit", { fixed: "1.2.4" }, "affected"],
  ])("judges a main module %s of the commit %s by %j: %s", (version, name, range, expected) => {
    const record = recordOf("a.example/b", version);
    const mark = { id: "2", name, key: mainModuleKey };
    const advisory = sampleAdvisory("Go", "a.example/b", { ranges: [range] });
    const verdict = go.matchers[0]?.judge({ ...record, repositories: [...record.repositories, mark] }, advisory);

    expect(verdict?.kind === "affected" ? verdict.kind : verdict?.reason).toBe(expected);
  });
});
