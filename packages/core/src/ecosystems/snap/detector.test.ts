import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const path = "snap/core20/1234/meta/snap.yaml";

describe("snapDetector", () => {
  it.each([
    ["plain texts", "name: core20\nversion: 20240111 # stable\nsummary: x\napps:\n  name: y\n", "core20 20240111"],
    ["quoted texts", "# c\nname: 'core20'\r\nversion: \"2.61\"\r\n", "core20 2.61"],
    ["no version", "name: core20\n", "core20 "],
  ])("finds a snap of %s", async (_, content, expected) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([`${expected} (snap) ${path}`]);
    expect(report.coverage.unassessed).toEqual([]);
  });

  it("makes a problem of a description without a name", async () => {
    expect(listProblems(await indexLayers([[fileOf(path, "apps:\n  name: x\n")]]))).toEqual([
      expect.stringContaining("expected the name of a snap"),
    ]);
  });

  it("counts a snap that is one file as unassessed", async () => {
    const { coverage } = await indexLayers([[fileOf("var/lib/snapd/snaps/core20_1.snap", "hsqs")]]);

    expect(coverage.unassessed).toMatchObject([{ kind: "snap", count: 1 }]);
  });
});
