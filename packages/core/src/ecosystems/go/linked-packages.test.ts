import { describe, expect, it } from "vitest";
import { buildElf, buildMachO, buildPe } from "../../programs/fixtures/build-program.ts";
import { readPrograms } from "../../programs/read-programs.ts";
import { fileOf, indexLayers } from "../language/fixtures/index-layers.ts";
import { linkedPackages } from "./detector.ts";
import { functionTable, goParts, inlineInfo, tableAddress } from "./fixtures/go-program.ts";

const lines = [
  "path\ta.example/app/cmd/app",
  "mod\ta.example/app\tv1.0.0\t",
  "dep\tgolang.org/x/crypto\tv0.1.0\t",
  "dep\tb.example/old\tv1.0.0\t",
  "=>\tc.example/new\tv2.0.0\t",
  "dep\td.example/unused\tv1.0.0\t",
];
const names = [
  "runtime.main",
  "main.main",
  "type:.eq.golang.org/x/crypto/openpgp.Key",
  "golang.org/x/crypto/ssh.(*Client).Dial",
  "golang.org/x/crypto/ssh.Dial.func1",
  "golang.org/x/crypto.Root",
  "b.example/old/yaml%2ev2.Parse",
  "slices.SortFunc[go.shape.struct { golang.org/x/crypto/openpgp.Name string }]",
  "net/http.(*Transport).RoundTrip",
  "a.example/app/internal.Run",
  "_rt0_amd64_linux",
];
const section = { name: ".gopclntab", content: functionTable(names), address: tableAddress };

function linkedOf(program: Uint8Array): readonly string[] | undefined {
  const [first] = readPrograms(program);
  const found = first && linkedPackages(first);
  return found === undefined ? undefined : [...found].sort();
}

const all = [
  "a.example/app/internal",
  "b.example/old/yaml.v2",
  "golang.org/x/crypto",
  "golang.org/x/crypto/ssh",
  "main",
  "net/http",
  "runtime",
  "slices",
];

describe("linkedPackages", () => {
  it.each([
    ["a section for them", buildElf([section])],
    ["position-independent", buildElf([{ ...section, name: ".data.rel.ro.gopclntab" }])],
    ["Mach-O", buildMachO([{ ...section, name: "__gopclntab" }])],
    [
      "data of PE",
      buildPe([{ ...section, name: ".rdata", content: Buffer.concat([Buffer.alloc(40), section.content]) }]),
    ],
    ["no sections", buildElf([section], { isStripped: true })],
    ["Go 1.16", buildElf([{ ...section, content: functionTable(names, { magic: 0xfffffffa }) }])],
    ["words of 32 bits", buildElf([{ ...section, content: functionTable(names, { isWide: false }) }])],
    [
      "big-endian",
      buildElf([{ ...section, content: functionTable(names, { isBigEndian: true }) }], { isBigEndian: true }),
    ],
  ])("reads names of functions: %s", (_, program) => {
    expect(linkedOf(program)).toEqual(all);
  });

  it.each([
    ["there is no table", buildElf([{ ...section, name: ".data", content: Buffer.alloc(200) }])],
    ["the table is older", buildElf([{ ...section, content: functionTable(names, { magic: 0xfffffffb }) }])],
    ["names are unreadable", buildElf([{ ...section, content: functionTable(["x9f.a", "q.b"]) }])],
    ["the table is truncated", buildElf([{ ...section, content: section.content.subarray(0, 30) }])],
    ["offsets point outside", buildElf([{ ...section, content: hostile() }])],
  ])("is undefined if %s", (_, program) => {
    expect(linkedOf(program)).toBeUndefined();
  });

  it("lists the linked parts of each module of a program", async () => {
    const content = buildElf([...goParts(inlineInfo({ lines })), section]);

    const { packages, environments, repositories } = await indexLayers([[fileOf("usr/bin/app", content, 0o755)]]);

    const parts = Object.entries(environments).map(([id, [seen]]) => {
      const linked = seen?.repositoryIds
        .map((each) => repositories[each])
        .find(({ key } = { id: "" }) => key === "linked-parts");
      return [packages[id]?.name, linked?.name];
    });
    expect(Object.fromEntries(parts)).toEqual({
      stdlib: "net/http runtime slices",
      "a.example/app": "cmd/app internal",
      "golang.org/x/crypto": ". ssh",
      "c.example/new": "yaml.v2",
      "d.example/unused": undefined,
    });
  });
});

/** A table whose names would begin far past the end of the file. */
function hostile(): Buffer {
  const table = Buffer.from(section.content);
  table.writeUInt32LE(0xffff, 8 + 3 * 8 + 4);
  table.writeUInt32LE(0xfffff, 8 + 4 * 8 + 4);
  return table;
}
