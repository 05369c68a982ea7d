import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const folder = "var/lib/pacman/local";
const release = fileOf("etc/os-release", 'ID=arch\nNAME="Arch Linux"\n');
const desc = (name: string, version: string, more = "") =>
  fileOf(`${folder}/${name}-${version}/desc`, `%NAME%\n${name}\n\n%VERSION%\n${version}\n\n${more}`);

describe("pacmanDetector", () => {
  it("finds packages with their source package, for the release of the image", async () => {
    const report = await indexLayers([
      [release, desc("lib32-zlib", "1:1.3-1", "%BASE%\nzlib32\n\n%ARCH%\nx86_64\n\n%DEPENDS%\nglibc\n")],
    ]);

    expect(Object.values(report.packages)).toMatchObject([
      { name: "lib32-zlib", version: "1:1.3-1", arch: "x86_64", source: { name: "zlib32", version: "1:1.3-1" } },
    ]);
    expect(Object.values(report.environments)).toMatchObject([[{ distributionId: "1" }]]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it.each([
    ["Pierre Schmitz <pierre@archlinux.org>", []],
    ["Somebody <somebody@example.org>", []], // as packagers of Arch Linux named themselves
    ["Unknown Packager", ["Unknown Packager"]],
    ["Garuda Builder <team@garudalinux.org>", ["garuda"]],
    ["Manjaro Build Server <build@manjaro.org>", ["Manjaro Linux"]],
  ])("tells whether the packager %s is a third party: %j", async (packager, thirdParties) => {
    const report = await indexLayers([[release, desc("yay", "12.0-1", `%PACKAGER%\n${packager}\n`)]]);

    expect(report.coverage.thirdPartyPackages).toBe(thirdParties.length);
    expect(Object.values(report.repositories).map(({ name }) => name)).toEqual(thirdParties);
  });

  it("leaves out packages that a later layer removed", async () => {
    const whiteout = fileOf(`${folder}/.wh.zlib-1.3-1`, "");

    const report = await indexLayers([
      [release, desc("zlib", "1.3-1")],
      [whiteout, desc("zlib", "1.3.1-1")],
    ]);

    expect(listPackages(report)).toEqual([`zlib 1.3.1-1 () ${folder}/zlib-1.3.1-1/desc`]);
  });

  it("names the owner of a language's package", async () => {
    const metadata = "usr/lib/python3.12/site-packages/six-1.16.0.dist-info/METADATA";
    const files = fileOf(
      `${folder}/python-six-1.16.0-9/files`,
      `%FILES%\nusr/\nusr/lib/\n${metadata}\n\n%BACKUP%\netc/x\n`,
    );

    const report = await indexLayers([
      [release, desc("python-six", "1.16.0-9"), files, fileOf(metadata, "Name: six\nVersion: 1.16.0\n")],
    ]);

    expect(listPackages(report)).toContain(`six 1.16.0 (pypi python-six) ${metadata}`);
  });

  it.each([
    ["no version", "%NAME%\nzlib\n", "expected the name and version"],
    ["another file", "\u0000\u0001", "expected the name and version"],
    ["a name that is too long", `%NAME%\n${"x".repeat(2000)}\n\n%VERSION%\n1-1\n`, "expected a short word"],
    [
      "a base that is too long",
      `%NAME%\nx\n\n%VERSION%\n1-1\n\n%BASE%\n${"x".repeat(2000)}\n`,
      "expected a short word",
    ],
  ])("makes a problem of a description with %s", async (_, content, message) => {
    const report = await indexLayers([[release, fileOf(`${folder}/x-1-1/desc`, content)]]);

    expect(listProblems(report)).toEqual([expect.stringContaining(message)]);
    expect(report.coverage.status).toBe("partial");
  });

  it("counts databases in the folder of another root as unassessed", async () => {
    const { coverage } = await indexLayers([[fileOf(`mnt/${folder}/zlib-1.3-1/desc`, "%NAME%\nzlib\n")]]);

    expect(coverage.unassessed).toMatchObject([{ kind: "pacman", count: 1 }]);
  });
});
