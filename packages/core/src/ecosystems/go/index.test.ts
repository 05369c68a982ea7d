import { describe, expect, it } from "vitest";
import { sampleAdvisory, samplePackage } from "../../match/fixtures/samples.ts";
import { languageKey } from "../../model/package.ts";
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
});
