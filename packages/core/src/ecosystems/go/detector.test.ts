import { describe, expect, it } from "vitest";
import { buildElf, buildFat, buildMachO, buildPe } from "../../programs/fixtures/build-program.ts";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";
import { functionTable, type GoTexts, goParts, goProgram, inlineInfo } from "./fixtures/go-program.ts";

const lines = ["path\ta.example/app", "mod\ta.example/app\t(devel)\t", "dep\tgolang.org/x/net\tv0.7.0\th1:a="];

async function packagesOf(content: Uint8Array) {
  const report = await indexLayers([[fileOf("usr/bin/app", content, 0o755)]]);
  return { packages: listPackages(report), problems: listProblems(report), unassessed: report.coverage.unassessed };
}

describe("goDetector", () => {
  it("lists the standard library, the main module and dependencies", async () => {
    expect(await packagesOf(goProgram({ lines }))).toEqual({
      packages: [
        "a.example/app (devel) (go unknown-commit) usr/bin/app",
        "golang.org/x/net v0.7.0 (go) usr/bin/app",
        "stdlib 1.22.1 (go) usr/bin/app",
      ],
      problems: [],
      unassessed: [],
    });
  });

  it.each<readonly [string, GoTexts, string]>([
    ["a release", { toolchain: "go1.21.0" }, "stdlib 1.21.0"],
    ["a prerelease", { toolchain: "go1.21rc2" }, "stdlib 1.21rc2"],
    ["an experiment", { toolchain: "go1.20.12 X:strictfipsruntime" }, "stdlib 1.20.12"],
    ["a distribution", { toolchain: "go1.22.1-custom" }, "stdlib 1.22.1-custom"],
    ["no release", { toolchain: "devel go1.24-7ca5f0 Mon Jul 1" }, "stdlib "],
  ])("reads the version of the standard library from a toolchain of %s", async (_, goTexts, expected) => {
    const { packages } = await packagesOf(goProgram({ ...goTexts, lines }));

    expect(packages).toContain(`${expected} (go) usr/bin/app`);
  });

  it("lists the modules of all slices of a Mach-O file, each once", async () => {
    const slices = ["v0.7.0", "v0.8.0"].map((version) =>
      buildMachO(goParts(inlineInfo({ lines: [...lines.slice(0, 2), `dep\tgolang.org/x/net\t${version}\t`] }))),
    );

    const { packages } = await packagesOf(buildFat(slices));

    expect(packages.map((line) => line.replace(/ \(go.*$/, ""))).toEqual([
      "a.example/app (devel)",
      "golang.org/x/net v0.7.0",
      "golang.org/x/net v0.8.0",
      "stdlib 1.22.1",
    ]);
  });

  it.each([
    [
      "counts a program that names no modules",
      ["path\tgithub.com/docker/cli/cmd/docker"],
      [{ kind: "go", count: 1 }],
      1,
    ],
    ["recognizes the programs of Go itself", ["path\tcmd/compile"], [], 1],
    ["lists Go's command as a toolchain", ["path\tcmd/go"], [], 2],
    ["counts a program without any lines", undefined, [{ kind: "go", count: 1 }], 1],
  ])("%s", async (_, moduleLines, unassessed, packages) => {
    const found = await packagesOf(goProgram(moduleLines === undefined ? {} : { lines: moduleLines }));

    expect(found).toMatchObject({ unassessed });
    expect(found.packages).toHaveLength(packages);
  });

  const withoutInfo = goParts(functionTable(["main.main", "runtime.main"]));
  const status =
    "Package: tool\nStatus: install ok installed\nVersion: 1-1\nArchitecture: all\nMaintainer: D <d@debian.org>\n";
  const owned = [
    fileOf("etc/os-release", 'ID=debian\nVERSION_ID="12"\n'),
    fileOf("var/lib/dpkg/status", status),
    fileOf("var/lib/dpkg/info/tool.list", "/usr/bin/tool\n"),
  ];

  it.each([
    ["ELF", "usr/bin/tool", buildElf(withoutInfo), [], 1],
    ["PE", "app/tool.exe", buildPe(withoutInfo), [], 1],
    ["Mach-O", "app/tool", buildMachO(withoutInfo), [], 1],
    ["ELF without sections", "usr/bin/tool", buildElf(withoutInfo, { isStripped: true }), [], 1],
    ["ELF that a package of the distribution owns", "usr/bin/tool", buildElf(withoutInfo), owned, 0],
    ["ELF that is a part of a package of a language", "app/node_modules/@a/b/bin/b", buildElf(withoutInfo), [], 0],
  ])("counts a program without build information: %s", async (_, path, program, members, count) => {
    const report = await indexLayers([[...members, fileOf(path, program, 0o755)]]);

    expect(listProblems(report)).toEqual([]);
    expect(report.coverage.unassessed.map(({ kind }) => kind)).toEqual(Array(count).fill("go"));
  });

  it("makes a problem of a damaged program", async () => {
    const damaged = goProgram({ lines });
    damaged.fill(0xff, 16, 64);

    const { packages, problems } = await packagesOf(damaged);

    expect(packages).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(/^malformed_package_db usr\/bin\/app: /)]);
  });

  it("counts go.sum as unassessed if there is no program", async () => {
    const { coverage } = await indexLayers([[fileOf("app/go.sum", "")]]);

    expect(coverage.unassessed).toMatchObject([{ kind: "go", count: 1 }]);
  });
});
