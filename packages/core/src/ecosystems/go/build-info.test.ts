import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { littleEndian } from "../../bytes/byte-order.ts";
import { ScanError } from "../../errors.ts";
import { buildElf, buildFat, buildMachO, buildPe } from "../../programs/fixtures/build-program.ts";
import { readPrograms } from "../../programs/read-programs.ts";
import { readBuildInfo } from "./build-info.ts";
import { dataAddress, goParts, inlineInfo, pointerInfo } from "./fixtures/go-program.ts";

const goTexts = { toolchain: "go1.17.13", lines: ["path\tcmd", `dep\t${"a".repeat(200)}\tv1.0.0`] };
const expected = { toolchain: goTexts.toolchain, modules: `${goTexts.lines.join("\n")}\n` };
const inline = inlineInfo(goTexts);
const narrow = { isWide: false };
const padded = Buffer.concat([Buffer.alloc(48), inline]);
/** A mark that is only text in the program's data, followed by the real build information. */
const twice = Buffer.concat([inline.subarray(0, 16), Buffer.alloc(16, 0x41), inline]);

const files: readonly (readonly [string, Buffer])[] = [
  ["ELF", buildElf(goParts(padded))],
  ["ELF with a section for it", buildElf([{ name: ".go.buildinfo", content: inline }])],
  ["ELF without sections", buildElf(goParts(padded), { isStripped: true })],
  ["ELF with the mark in other data", buildElf(goParts(twice))],
  ["PE", buildPe(goParts(padded))],
  ["PE of 32 bits", buildPe(goParts(padded), narrow)],
  ["Mach-O", buildMachO(goParts(padded, "__go_buildinfo"))],
  ["Mach-O without its section", buildMachO(goParts(padded))],
  ["fat Mach-O", buildFat([buildMachO(goParts(padded))])],
  ["ELF of old Go", buildElf(goParts(pointerInfo(goTexts, dataAddress)))],
  ["ELF of old Go, 32 bits", buildElf(goParts(pointerInfo(goTexts, dataAddress, narrow)), narrow)],
  [
    "big-endian ELF of old Go",
    buildElf(goParts(pointerInfo(goTexts, dataAddress, { isBigEndian: true })), { isBigEndian: true }),
  ],
  ["PE of old Go", buildPe(goParts(pointerInfo(goTexts, dataAddress)))],
  ["Mach-O of old Go", buildMachO(goParts(pointerInfo(goTexts, dataAddress)))],
];

const infoOf = (file: Buffer) => [...readPrograms(file)].map(readBuildInfo);

/** A program whose build information has `bytes` at offset `at`. */
function changed(at: number, bytes: readonly number[]): Buffer {
  const info = Buffer.from(inline);
  info.set(bytes, at);
  return buildElf(goParts(info));
}

describe("readBuildInfo", () => {
  it.each(files)("reads %s", (_, file) => {
    expect(infoOf(file)).toEqual([expected]);
  });

  it.each([
    ["inline", inlineInfo({})],
    ["by pointers", pointerInfo({}, dataAddress)],
  ])("reads a program without modules, %s", (_, info) => {
    expect(infoOf(buildElf(goParts(info)))).toEqual([{ toolchain: "go1.22.1", modules: "" }]);
  });

  it.each([
    ["no mark", buildElf(goParts(Buffer.alloc(64)))],
    ["the mark in code", buildElf([{ name: "a", content: inline, address: 1, isExecutable: true }])],
    ["the mark between", buildElf(goParts(Buffer.concat([Buffer.alloc(8), inline])))],
    ["another toolchain", buildElf(goParts(inlineInfo({ toolchain: "gcc 12" })))],
  ])("finds none in a program with %s", (_, file) => {
    expect(infoOf(file)).toEqual([undefined]);
  });

  it.each([
    ["a text past the end", changed(32, [0xff, 0xff, 0x7f]), "expected 2097151 bytes at offset"],
    ["a text that is too long", changed(32, [0xff, 0xff, 0xff, 0x7f]), "at most 4194304 bytes of text"],
    ["a length without an end", changed(32, [0xff, 0xff, 0xff, 0xff, 0xff]), "expected the length of a string"],
    ["pointers of 3 bytes", changed(14, [3, 0]), "expected pointers of 4 or 8 bytes, found 3"],
    ["a pointer to nothing", changed(14, [8, 0, 1, 0, 0, 0, 0, 0, 0, 0]), "16 bytes at address 1, found nothing there"],
  ])("refuses a program with %s", (_, file, message) => {
    expect(() => infoOf(file)).toThrow(ScanError);
    expect(() => infoOf(file)).toThrow(message);
  });

  it("reads only the first of many marks", () => {
    const marks = Buffer.alloc(4 * 1024 ** 2);
    for (let at = 0; at < marks.length; at += 16) marks.set(inline.subarray(0, 14), at);

    expect(searchData(marks, 1).error).toContain("expected pointers of 4 or 8 bytes");
    expect(searchData(marks, 1).shownBytes).toBeLessThan(2 * 1024 ** 2);
  });

  it("reads bytes at most about twice if many segments overlap", () => {
    const { error, shownBytes } = searchData(Buffer.alloc(4 * 1024 ** 2), 1000);

    expect(error).toBe("");
    expect(shownBytes).toBeLessThan(13 * 1024 ** 2);
  });

  it("throws only ScanError, whatever bytes are damaged", () => {
    const bytes = fc.array(fc.tuple(fc.oneof(fc.nat(600), fc.integer({ min: 20_480, max: 20_900 })), fc.nat(255)), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.constantFrom(...files), bytes, ([, file], damages) => {
        const damaged = Buffer.from(file);
        for (const [at, value] of damages) damaged[at] = value;
        try {
          infoOf(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
        }
      }),
      { seed: 18, numRuns: 2000 },
    );
  });
});

/** The error for data that each of many segments claims completely, and the number of bytes that were read. */
function searchData(data: Buffer, segments: number): { readonly error: string; readonly shownBytes: number } {
  let shownBytes = 0;
  const subarray = (start: number, end: number) => {
    const shown = data.subarray(start, end);
    shownBytes += shown.length;
    return shown;
  };
  const segment = { offset: 0, sizeBytes: 2 ** 60, address: 0, isWritable: true, isExecutable: false };
  const all = Array.from({ length: segments }, () => segment);
  try {
    readBuildInfo({ bytes: { length: data.length, subarray }, order: littleEndian, sections: [], segments: all });
    return { error: "", shownBytes };
  } catch (error) {
    return { error: String(error), shownBytes };
  }
}
