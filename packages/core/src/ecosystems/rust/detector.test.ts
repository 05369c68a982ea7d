import { deflateSync } from "node:zlib";
import type { OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type BuiltPart, buildElf, buildFat, buildMachO, buildPe } from "../../programs/fixtures/build-program.ts";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const data = {
  packages: [
    { name: "adler", version: "1.0.2", source: "crates.io" },
    { name: "cc", version: "1.0.79", source: "crates.io", kind: "build" },
    { name: "fork", version: "0.1.0", source: "git", kind: "runtime", dependencies: [0] },
    { name: "tool-parser", version: "0.0.0", source: "local" },
    { name: "tool", version: "0.3.0", source: "local", dependencies: [0, 2], root: true },
  ],
};

function partsOf(section: Uint8Array, name = ".dep-v0"): readonly BuiltPart[] {
  return [
    { name: ".text", content: Buffer.from("code"), address: 0x50_0000, isExecutable: true },
    { name, content: section },
  ];
}

const list = deflateSync(JSON.stringify(data));
const whole = partsOf(list);
const partsWith = (json: string) => partsOf(deflateSync(json));

async function indexed(content: Uint8Array) {
  const report = await indexLayers([[fileOf("usr/bin/tool", content, 0o755)]]);
  const packages = listPackages(report).map((line) => line.replace(" (crates.io) usr/bin/tool", ""));
  return { packages, problems: listProblems(report), unassessed: report.coverage.unassessed };
}

describe("rustDetector", () => {
  it.each([
    ["ELF", buildElf(whole)],
    ["big-endian ELF of 32 bits", buildElf(whole, { isWide: false, isBigEndian: true })],
    ["PE", buildPe(whole)],
    ["Mach-O", buildMachO(whole)],
    ["fat Mach-O, each once", buildFat([buildMachO(whole), buildMachO(whole)])],
    ["a section with padding after the stream", buildElf(partsOf(Buffer.concat([list, Buffer.alloc(99)])))],
  ])("lists the packages of %s, without those that were needed only for the build", async (_, file) => {
    expect(await indexed(file)).toEqual({
      packages: ["adler 1.0.2", "fork 0.1.0", "tool 0.3.0"],
      problems: [],
      unassessed: [],
    });
  });

  const compiled = [
    {
      name: ".rodata",
      content: Buffer.from(
        "x/registry/src/index.example-6f17d22bba15001f/tokio-1.35.1/src/a.rs/c/registry/src/github.com-1ecc6299db9ec823/serde-json-1.0.0-rc.1+b/src/registry/src/x/tokio-1/",
      ),
      address: 0x50_0000,
    },
    { name: ".comment", content: Buffer.from("GCC: (Debian)\0rustc version 1.75.0 (82e1608df 2023-12-21)\0") },
  ];
  const status = "Package: tool\nStatus: install ok installed\nVersion: 1-1\nArchitecture: all\nMaintainer: ";
  const ownedBy = (maintainer: string) => [
    fileOf("etc/os-release", 'ID=debian\nVERSION_ID="12"\n'),
    fileOf("var/lib/dpkg/status", `${status}${maintainer}\n`),
    fileOf("var/lib/dpkg/info/tool.list", "/usr/bin/tool\n"),
  ];

  it.each<[string, string, OddMember[], readonly string[], number]>([
    ["is not owned", "usr/bin/tool", [], ["serde-json 1.0.0-rc.1+b", "tokio 1.35.1"], 1],
    [
      "a package of others owns",
      "usr/bin/tool",
      ownedBy("A <a@acme.example>"),
      ["serde-json 1.0.0-rc.1+b", "tokio 1.35.1"],
      1,
    ],
    [
      "the distribution owns",
      "usr/bin/tool",
      ownedBy("D <d@debian.org>"),
      ["serde-json 1.0.0-rc.1+b", "tokio 1.35.1"],
      0,
    ],
    ["is a part of a package of a language", "opt/lib/site-packages/a/_a.so", [], [], 0],
  ])(
    "names a program without a list, which %s, and the packages in its texts",
    async (_, path, members, expected, count) => {
      const report = await indexLayers([[...members, fileOf(path, buildElf(compiled), 0o755)]]);
      const crates = listPackages(report).filter((line) => line.includes("crates.io"));

      expect(crates.map((line) => line.replace(/ \(.*/, ""))).toEqual(expected);
      expect(report.coverage.unassessed.map(({ kind }) => kind)).toEqual(Array(count).fill("rust"));
    },
  );

  /** The linker of an old GCC keeps only what that says: https://github.com/Instagram/LibCST has such a wheel. */
  const ofDebugger = [
    ...compiled.filter(({ name }) => name === ".rodata"),
    { name: ".comment", content: Buffer.from("GCC: (GNU) 10.2.1 20210130\0GCC: (GNU) 4.8.5 20150623\0") },
    { name: ".debug_str", content: Buffer.from("clang LLVM (rustc version 1.75.0 (82e1608df 2023-12-21))\0") },
  ];

  it.each<[string, string, readonly string[], readonly string[]]>([
    ["names a program", "usr/bin/tool", ["serde-json 1.0.0-rc.1+b", "tokio 1.35.1"], ["rust"]],
    ["leaves out a part of a package of a language", "opt/lib/site-packages/libcst/native.so", [], []],
  ])("%s whose compiler is only named for debuggers", async (_, path, expected, kinds) => {
    const report = await indexLayers([[fileOf(path, buildElf(ofDebugger), 0o755)]]);

    expect(listPackages(report).map((line) => line.replace(/ \(.*/, ""))).toEqual(expected);
    expect(listProblems(report)).toEqual([]);
    expect(report.coverage.unassessed.map(({ kind }) => kind)).toEqual(kinds);
  });

  const elsewhere = compiled.map((part, index) => ({ ...part, name: `.part${index}` }));
  const ofWindows = compiled.map((part) => ({ ...part, name: part.name === ".rodata" ? ".rdata" : part.name }));

  it.each([
    ["ELF with other names of sections", buildElf(elsewhere)],
    ["PE", buildPe(ofWindows)],
    ["Mach-O", buildMachO(elsewhere.map((part, index) => (index === 0 ? { ...part, name: "__const" } : part)))],
  ])("finds the packages in the texts of %s", async (_, file) => {
    const { packages, unassessed } = await indexed(file);

    expect(packages).toEqual(["serde-json 1.0.0-rc.1+b", "tokio 1.35.1"]);
    expect(unassessed.map(({ kind }) => kind)).toEqual(["rust"]);
  });

  it.each([
    ["the name elsewhere", buildElf(partsOf(Buffer.from(".dep-v0\0"), ".rodata")), "expected a section .dep-v0"],
    ["no zlib stream", buildElf(partsOf(Buffer.from("{}"))), "expected a zlib stream"],
    ["a stream that ends early", buildElf(partsOf(list.subarray(0, 40))), "end too early"],
    [
      "a list that decompresses to more",
      buildElf(partsWith(`"${"a".repeat(8 * 1024 ** 2)}"`)),
      "at most 8388608 bytes",
    ],
    ["a section that claims more", buildElf(partsOf(Buffer.alloc(9 * 1024 ** 2))), "at most 8388608 bytes"],
    ["no JSON", buildElf(partsWith("{")), "expected JSON"],
    ["no list", buildElf(partsWith("{}")), "expected a list of packages"],
    ["a package without a version", buildElf(partsWith('{"packages":[{"name":"a"}]}')), "with name and version"],
    ["an entry that is not a package", buildElf(partsWith('{"packages":[null]}')), "with name and version"],
  ])("makes a problem of %s", async (_, file, message) => {
    const { packages, problems } = await indexed(file);

    expect(packages).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(message)]);
    expect(problems).toEqual([expect.stringContaining("usr/bin/tool")]);
  });
});
