import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";
import { buildBundle, bundleHost } from "./fixtures/build-bundle.ts";

async function indexed(bytes: Uint8Array) {
  const report = await indexLayers([[fileOf("app/App", bytes, 0o755)]]);
  const unassessed = report.coverage.unassessed.map(({ kind, count }) => `${kind} ${count}`);
  return { packages: listPackages(report), problems: listProblems(report), unassessed };
}

const withReference = JSON.stringify({
  targets: { net8: { "Acme.Reference/1.0.0.0": { runtime: { "Acme.dll": {} } } } },
  libraries: { "Acme.Reference/1.0.0.0": { type: "reference" } },
});

describe("bundleDetector", () => {
  it.each([1, 2, 6, 8])("reads the list of packages in a program of major %i", async (major) => {
    expect(await indexed(buildBundle(major))).toEqual({
      packages: ["Newtonsoft.Json 9.0.1 (nuget) app/App"],
      problems: [],
      unassessed: [],
    });
  });

  it.each([
    ["a program without the list is evidence", buildBundle(6, { content: "" }), [], ["dotnet 1"]],
    ["a file of a reference is evidence", buildBundle(6, { content: withReference }), [], ["dotnet 1"]],
    ["a host without files is none", bundleHost(0), [], []],
    ["a library that has the signature is none", bundleHost(0x4141_4141_4141), [], []],
    ["a header elsewhere is none", bundleHost(2000), [], []],
    ["a list past the end is a problem", buildBundle(6, { offset: 2 ** 40 }), [expect.stringContaining("app/App")], []],
    ["a list that is no JSON is a problem", buildBundle(6, { content: "{" }), [expect.stringContaining("JSON")], []],
  ])("%s", async (_, bytes, problems, unassessed) => {
    expect(await indexed(bytes)).toEqual({ packages: [], problems, unassessed });
  });
});
