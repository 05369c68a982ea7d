import { makeZip, type OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { buildElf } from "../../programs/fixtures/build-program.ts";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const metadata = (name: string, version: string) =>
  `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n\nText\n`;
const wheelFiles = (name: string, version: string) => ({
  [`${name}/__init__.py`]: "",
  [`${name}-${version}.dist-info/METADATA`]: metadata(name, version),
});
const wheel = makeZip(wheelFiles("a", "1.5"));
const python = { program: "#!/usr/bin/env python3\n" } as const;
const json = (name: string, version: string, more = {}) => JSON.stringify({ name, version, ...more });
const egg = "usr/lib/python3/site-packages/b-1.5-py3.egg";

describe("pythonArchiveDetector", () => {
  it.each<[string, string, Uint8Array, readonly string[]]>([
    ["a wheel", "wheels/a-1.5-py3-none-any.whl", wheel, ["a 1.5 (pypi) a-1.5.dist-info/METADATA"]],
    [
      "an egg that is a stored archive",
      egg,
      makeZip({ "EGG-INFO/PKG-INFO": metadata("b", "1.5") }, { method: "stored" }),
      ["b 1.5 (pypi) EGG-INFO/PKG-INFO"],
    ],
    [
      "an egg that is a deflated archive",
      egg,
      makeZip({ "EGG-INFO/PKG-INFO": metadata("b", "1.5") }),
      ["b 1.5 (pypi) EGG-INFO/PKG-INFO"],
    ],
    [
      "a program of pex with wheels as folders",
      "app/run.pex",
      makeZip(
        { "PEX-INFO": "{}", ".deps/a-1.5-py3-none-any.whl/a-1.5.dist-info/METADATA": metadata("a", "1.5") },
        python,
      ),
      ["a 1.5 (pypi) .deps/a-1.5-py3-none-any.whl/a-1.5.dist-info/METADATA"],
    ],
    [
      "a program of pex with wheels as archives",
      "app/run.pex",
      makeZip({ "PEX-INFO": "{}", ".deps/a-1.5-py3-none-any.whl": wheel }, python),
      ["a 1.5 (pypi) .deps/a-1.5-py3-none-any.whl:a-1.5.dist-info/METADATA"],
    ],
    [
      "a program of shiv without an extension",
      "usr/local/bin/run",
      makeZip({ "site-packages/a-1.5.dist-info/METADATA": metadata("a", "1.5") }, python),
      ["a 1.5 (pypi) site-packages/a-1.5.dist-info/METADATA"],
    ],
    [
      "a program of pex with a script of the shell before it",
      "usr/local/bin/run",
      makeZip(
        { "PEX-INFO": "{}", "a-1.5.dist-info/METADATA": metadata("a", "1.5") },
        { program: `#!/bin/sh\n${"# comment\n".repeat(2_000)}exec python3 "$0" "$@"\n` },
      ),
      ["a 1.5 (pypi) a-1.5.dist-info/METADATA"],
    ],
    [
      "a zipapp without a script and an extension",
      "usr/local/bin/run",
      makeZip({ "__main__.py": "", ...wheelFiles("a", "1.5") }),
      ["a 1.5 (pypi) a-1.5.dist-info/METADATA"],
    ],
    ["a zipapp", "app/run.pyz", makeZip(wheelFiles("a", "1.5")), ["a 1.5 (pypi) a-1.5.dist-info/METADATA"]],
    [
      "the packages of other languages in a wheel",
      "wheels/p.whl",
      makeZip({
        ...wheelFiles("p", "1"),
        "p/jars/b.jar": makeZip({ "META-INF/maven/g/b/pom.properties": "groupId=g\nartifactId=b\nversion=2\n" }),
        "p/lib/node_modules/debug/package.json": json("debug", "4.3.4"),
        "p-1.dist-info/sboms/c.cdx.json": json("x", "1", {
          bomFormat: "CycloneDX",
          specVersion: "1.5",
          version: 1,
          components: [{ type: "library", name: "tar", version: "0.4.0", purl: "pkg:cargo/tar@0.4.0" }],
        }),
      }),
      [
        "debug 4.3.4 (npm) p/lib/node_modules/debug/package.json",
        "g:b 2 (maven) p/jars/b.jar",
        "p 1 (pypi) p-1.dist-info/METADATA",
        "tar 0.4.0 (crates.io) p-1.dist-info/sboms/c.cdx.json",
      ],
    ],
  ])("finds the packages of %s", async (_, path, bytes, expected) => {
    const report = await indexLayers([[fileOf(path, bytes, 0o755)]]);

    expect(listPackages(report).map((each) => each.replace(`${path}:`, ""))).toEqual(expected);
    expect(listPackages(report).every((each) => each.includes(`${path}:`))).toBe(true);
    expect(report.coverage).toMatchObject({ status: "complete", problems: [], unassessed: [] });
  });

  it.each<[string, string, Uint8Array]>([
    ["a wheel without metadata", "a.whl", makeZip({ "a/__init__.py": "" })],
    ["a zipapp that describes no package", "usr/bin/run", makeZip({ "__main__.py": "x = 1\n".repeat(50) }, python)],
    ["a zipapp without a script that describes no package", "usr/bin/run", makeZip({ "__main__.py": "" })],
    ["an egg without metadata", egg, makeZip({ a: "" })],
    [
      "a program of pex with a wheel without metadata",
      "run.pex",
      makeZip({ ".deps/a.whl": makeZip({ a: "" }) }, python),
    ],
    ["a program in a folder for tests", "opt/lib/python3/test/run", makeZip({ "__main__.py": "" }, python)],
  ])("counts %s as unassessed", async (_, path, bytes) => {
    const { coverage } = await indexLayers([[fileOf(path, bytes, 0o755)]]);

    expect(coverage).toMatchObject({ status: "partial", unassessed: [{ kind: "python", evidence: [{ path }] }] });
  });

  it.each([
    ["a script before it and 16 KB", "#!/usr/bin/env python3\n", 16_384, ["python"]],
    ["a script before it", "#!/usr/bin/env python3\n", 512, []],
    ["nothing before it", "", 16_384, []],
  ])(
    "finds a program that may not be executed, of any name, with %s: documented in coverage.md",
    async (_, program, size, kinds) => {
      const bytes = makeZip({ "__main__.py": "x".repeat(size) }, { program, method: "stored" });

      const { coverage } = await indexLayers([[fileOf("opt/run", bytes, 0o644)]]);

      expect(bytes.length).toBeGreaterThanOrEqual(size);
      expect(coverage.unassessed.map(({ kind }) => kind)).toEqual(kinds);
    },
  );

  it.each<[string, string, string | Uint8Array]>([
    ["a wheel of a package's tests", "usr/lib/python3/site-packages/a/tests/b.whl", wheel],
    [
      "a wheel of the tests of a package in an archive",
      "a.whl",
      makeZip({ ...wheelFiles("a", "1"), "a/tests/b.whl": wheel }),
    ],
    [
      "an input of the tests of Python itself",
      "usr/local/lib/python3.12/test/ziptestdata/exe_with_z64",
      makeZip({ "__main__.py": "x = 1\n".repeat(5) }, { program: "#!/bin/bash\nexec python3 $0\n" }),
    ],
    ["a wheel for the tests of Python itself", "usr/lib/python3.14/test/wheeldata/b-1.whl", makeZip({ a: "" })],
    ["a script", "usr/bin/run", `#!/usr/bin/env python3\n${"x = 1\n".repeat(100)}`],
    ["an archive of other files", "usr/share/data", makeZip({ "a.txt": "x", "b/__main__.py": "" })],
    ["a script before an archive of other files", "run", makeZip({ "a.txt": "x" }, { program: "#!/bin/sh\nexit\n" })],
    ["a lock file in a package", "a.whl", makeZip({ ...wheelFiles("a", "1"), "a/poetry.lock": "[[package]]\n" })],
  ])("ignores %s", async (_, path, bytes) => {
    const report = await indexLayers([[fileOf(path, bytes, 0o755)]]);

    expect(listPackages(report).filter((each) => !each.startsWith("a 1 "))).toEqual([]);
    expect(report.coverage).toMatchObject({ status: "complete", problems: [], unassessed: [] });
  });

  it.each<[string, Uint8Array | string, string]>([
    ["no archive", "PK", "malformed_archive a.whl: a.whl: expected a zip archive"],
    [
      "an archive with unreadable metadata",
      makeZip({ "a-1.dist-info/METADATA": "Version: 1\n" }),
      "malformed_package_db a.whl: a.whl:a-1.dist-info/METADATA: expected the name of a Python package",
    ],
    [
      "an archive with a damaged archive in it",
      makeZip({ "b.whl": "PK" }),
      "malformed_archive a.whl: a.whl:b.whl: expected a zip archive",
    ],
    [
      "an archive with a damaged jar in it",
      makeZip({ "jars/b.jar": "PK" }),
      "malformed_archive a.whl: a.whl:jars/b.jar: expected a zip archive",
    ],
  ])("makes a problem of %s", async (_, bytes, message) => {
    const report = await indexLayers([[fileOf("a.whl", bytes)]]);

    expect([listPackages(report), listProblems(report)]).toEqual([[], [expect.stringContaining(message)]]);
    expect(report.coverage.status).toBe("partial");
  });

  it("has the package of the operating system that owns the archive", async () => {
    const path = "usr/share/python-wheels/a-1.5-py3-none-any.whl";
    const report = await indexLayers([
      [
        fileOf("etc/os-release", "ID=debian\nVERSION_ID=12\n"),
        fileOf(
          "var/lib/dpkg/status",
          "Package: python3-a-whl\nStatus: install ok installed\nVersion: 1\nArchitecture: all\nMaintainer: Debian <debian@lists.debian.org>\n",
        ),
        fileOf("var/lib/dpkg/info/python3-a-whl.list", `/${path}\n`),
        fileOf(path, wheel),
      ],
    ]);

    expect(listPackages(report)).toContain(`a 1.5 (pypi python3-a-whl) ${path}:a-1.5.dist-info/METADATA`);
  });

  it("does not count an archive that a later layer removes or replaces", async () => {
    const layers = [
      [fileOf("a.whl", wheel), fileOf("b.whl", wheel)],
      [fileOf(".wh.a.whl", ""), fileOf("b.whl", makeZip(wheelFiles("b", "2")))],
    ];

    expect(listPackages(await indexLayers(layers))).toEqual(["b 2 (pypi) b.whl:b-2.dist-info/METADATA"]);
  });
});

describe("oneFileProgram", () => {
  const program = buildElf([{ name: ".text", content: Buffer.alloc(40_000), address: 0x50_0000, isExecutable: true }]);
  const appended = (text: string) => Buffer.concat([program, Buffer.from("archive"), Buffer.from(text, "latin1")]);
  const cookie = `MEI\x0c\x0b\x0a\x0b\x0e${"\0".repeat(80)}`;
  const wheelWith = (content: Uint8Array) =>
    makeZip({ "a-1.5.dist-info/METADATA": metadata("a", "1.5"), "a-1.5.data/scripts/run": Buffer.from(content) });

  it.each<[string, OddMember, readonly string[]]>([
    ["of PyInstaller", fileOf("usr/bin/run", appended(cookie), 0o755), ["python usr/bin/run"]],
    [
      "of PyInstaller, with headers after the archive",
      fileOf("usr/bin/run", appended(cookie + "x".repeat(3000)), 0o755),
      ["python usr/bin/run"],
    ],
    ["of PyInstaller in an archive", fileOf("a.whl", wheelWith(appended(cookie))), ["python a.whl"]],
    ["of Bun", fileOf("usr/bin/run", appended("\n---- Bun! ----\n\0\0\0\0\0\0\0\0"), 0o755), ["npm usr/bin/run"]],
    ["without an archive", fileOf("usr/bin/run", program, 0o755), []],
    ["with the mark before its end", fileOf("usr/bin/run", appended(`${cookie}${"x".repeat(9000)}`), 0o755), []],
  ])("names a program %s", async (_, member, expected) => {
    const { coverage } = await indexLayers([[member]]);

    expect(coverage.unassessed.map(({ kind, evidence }) => `${kind} ${evidence[0]?.path}`)).toEqual(expected);
  });
});
