import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import { type BuiltPart, buildElf, buildFat, buildMachO, buildPe } from "./fixtures/build-program.ts";
import type { Program } from "./program.ts";
import { readPrograms } from "./read-programs.ts";

const parts: readonly BuiltPart[] = [
  { name: "text", content: Buffer.from("code"), address: 0x41_0000, isExecutable: true },
  { name: "data", content: Buffer.from("some data"), address: 0x42_0000, isWritable: true },
  { name: ".dep-v0", content: Buffer.from("packages") },
];

function textAt({ bytes }: Program, { offset, sizeBytes }: { readonly offset: number; readonly sizeBytes: number }) {
  return Buffer.from(bytes.subarray(offset, offset + sizeBytes)).toString();
}

function describeProgram(program: Program): readonly string[] {
  const sections = program.sections.map((section) => `${section.name}: ${textAt(program, section)}`);
  const segments = program.segments.map((segment) => {
    const use = `${segment.isExecutable ? "x" : ""}${segment.isWritable ? "w" : ""}`;
    return `${segment.address.toString(16)} ${use}: ${textAt(program, segment)}`;
  });
  return [...sections, ...segments];
}

const files: readonly (readonly [string, Buffer])[] = [
  ["ELF", buildElf(parts)],
  ["ELF of 32 bits", buildElf(parts, { isWide: false })],
  ["big-endian ELF", buildElf(parts, { isBigEndian: true })],
  ["big-endian ELF of 32 bits", buildElf(parts, { isWide: false, isBigEndian: true })],
  ["PE", buildPe(parts)],
  ["PE of 32 bits", buildPe(parts, { isWide: false })],
  ["Mach-O", buildMachO(parts)],
  ["Mach-O of 32 bits", buildMachO(parts, { isWide: false })],
  ["big-endian Mach-O", buildMachO(parts, { isBigEndian: true })],
  ["big-endian Mach-O of 32 bits", buildMachO(parts, { isWide: false, isBigEndian: true })],
  ["fat Mach-O", buildFat([buildMachO(parts)])],
  ["fat Mach-O of 64 bits", buildFat([buildMachO(parts)], { isWide: true })],
];

describe("readPrograms", () => {
  it.each(files)("reads %s", (_, file) => {
    const [program] = [...readPrograms(file)];

    expect(program && describeProgram(program)).toEqual(
      expect.arrayContaining([
        "text: code",
        "data: some data",
        ".dep-v0: packages",
        "410000 x: code",
        "420000 w: some data",
      ]),
    );
  });

  it("reads an ELF file without sections", () => {
    const [program] = [...readPrograms(buildElf(parts, { isStripped: true }))];

    expect(program && describeProgram(program)).toEqual(["410000 x: code", "420000 w: some data"]);
  });

  it("reads an ELF file whose first section has the number of sections", () => {
    const file = buildElf(parts);
    const sections = Number(file.readBigUInt64LE(40));
    file.writeUInt16LE(0, 60);
    file.writeUInt16LE(0xffff, 62);
    file.writeBigUInt64LE(5n, sections + 32);
    file.writeUInt32LE(4, sections + 40);

    expect([...readPrograms(file)].flatMap(describeProgram)).toContain(".dep-v0: packages");
  });

  it("reads each program of a Mach-O file", () => {
    const other = buildMachO([{ name: "other", content: Buffer.from("more"), address: 1 }]);

    const programs = [...readPrograms(buildFat([buildMachO(parts), other]))];

    expect(programs.map(({ sections }) => sections.map(({ name }) => name))).toEqual([
      ["text", "data", ".dep-v0"],
      ["other"],
    ]);
    expect(programs[1] && describeProgram(programs[1])).toContain("other: more");
  });

  it.each<readonly [string, Buffer, (file: Buffer) => void, string]>([
    ["a script", Buffer.from("#!/bin/sh\n"), () => {}, "expected an ELF, PE or Mach-O file"],
    ["a class of Java", buildFat([]), (file) => file.writeUInt32BE(65, 4), "expected at most 20 slices, found 65"],
    ["a short file", Buffer.from("\x7fELF", "latin1"), () => {}, "expected 16 bytes"],
    ["sections past the end", buildElf(parts), (file) => file.writeBigUInt64LE(2n ** 63n, 40), "at offset 92233720"],
    ["more sections than there can be", buildElf(parts), claimSections, "expected at most 100000 headers"],
    ["headers that overlap", buildElf(parts), (file) => file.writeUInt16LE(1, 58), "at least 64 bytes"],
    ["no PE header", buildPe(parts), (file) => file.writeUInt32LE(2 ** 32 - 1, 60), "at offset 4294967295"],
    ["another header", buildPe(parts), (file) => file.writeUInt32LE(0, 60), 'expected "PE" at offset 0'],
    ["a short optional header", buildPe(parts), (file) => file.writeUInt16LE(8, 148), "an optional header of 32 bytes"],
    [
      "commands of 4 GiB",
      buildMachO(parts),
      (file) => file.writeUInt32LE(2 ** 32 - 1, 20),
      "4194304 bytes of commands",
    ],
    ["a command of no bytes", buildMachO(parts), (file) => file.writeUInt32LE(0, 36), "a command of at least 8 bytes"],
    ["a slice past the end", buildFat([buildMachO(parts)]), (file) => file.writeUInt32BE(2 ** 31, 16), "2147483648"],
  ])("refuses %s", (_, file, damage, message) => {
    const damaged = Buffer.from(file);
    damage(damaged);

    expect(() => [...readPrograms(damaged)]).toThrow(ScanError);
    expect(() => [...readPrograms(damaged)]).toThrow(message);
  });

  it("throws only ScanError, whatever bytes are damaged", () => {
    const bytes = fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...files), bytes, ([, file], damages) => {
        const damaged = Buffer.from(file);
        for (const [at, value] of damages) damaged[at] = value;
        try {
          for (const program of readPrograms(damaged)) expect(describeProgram(program)).toBeDefined();
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
        }
      }),
      { seed: 12, numRuns: 2000 },
    );
  });
});

/** Makes the first section claim 2^60 sections. */
function claimSections(file: Buffer): void {
  file.writeUInt16LE(0, 60);
  file.writeBigUInt64LE(2n ** 60n, Number(file.readBigUInt64LE(40)) + 32);
}
