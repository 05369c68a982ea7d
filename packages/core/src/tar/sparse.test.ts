import { buildTar, concatBytes, type OddMember, paxMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../bytes/limits.ts";
import { expandSparse } from "./sparse.ts";
import { TarWalker } from "./walk.ts";

/** Three stored bytes at 2, two at 9, ends at 12. */
const real = "\0\0abc\0\0\0\0de\0";

function walk(archive: Uint8Array, limits = defaultLimits): Record<string, string> {
  const contents: Record<string, string> = {};
  const walker = new TarWalker(
    {
      entry: (entry) => entry.kind === "file",
      content(entry, bytes) {
        contents[`${entry.name}:${entry.sizeBytes}`] = Buffer.from(bytes).toString("latin1");
      },
    },
    limits,
  );
  walker.write(archive);
  walker.end();
  return contents;
}

function octal(value: number): string {
  return value.toString(8).padStart(11, "0").padEnd(12, "\0");
}

function segments(...numbers: number[]): Uint8Array {
  return new Uint8Array(Buffer.from(numbers.map(octal).join("")));
}

function gnuSparse(map: number[], realBytes: number, more = 0): OddMember {
  const fields = { 386: segments(...map), 482: new Uint8Array([more]), 483: octal(realBytes) };
  return { name: "s", type: "S", format: "gnu", content: "abcde", fields };
}

/** One extension block in place of the content's beginning: the member's own content comes after it. */
function extended(member: OddMember, extensions: Uint8Array[]): Uint8Array {
  const whole = buildTar(member).slice(0, -1024);
  return concatBytes([whole.slice(0, 512), ...extensions, whole.slice(512), buildTar({ name: "after", content: "x" })]);
}

function extension(numbers: number[], more: number): Uint8Array {
  const block = new Uint8Array(512);
  block.set(segments(...numbers));
  block[504] = more;
  return block;
}

const leading = `${"2\n2\n3\n9\n2\n".padEnd(512, "\0")}abcde`;
const version1: [string, string][] = [
  ["GNU.sparse.major", "1"],
  ["GNU.sparse.minor", "0"],
  ["GNU.sparse.name", "s"],
  ["GNU.sparse.realsize", "12"],
];

describe("expandSparse", () => {
  const formats: readonly [string, Uint8Array][] = [
    ["GNU", buildTar(gnuSparse([2, 3, 9, 2, 12, 0], 12), { name: "after", content: "x" })],
    ["GNU with extension blocks", extended(gnuSparse([2, 3], 12, 1), [extension([9, 1], 1), extension([10, 1], 0)])],
    [
      "pax 0.0",
      buildTar(
        paxMember([
          ["GNU.sparse.size", "12"],
          ["GNU.sparse.numblocks", "2"],
          ["GNU.sparse.offset", "2"],
          ["GNU.sparse.numbytes", "3"],
          ["GNU.sparse.offset", "9"],
          ["GNU.sparse.numbytes", "2"],
        ]),
        { name: "s", content: "abcde" },
        { name: "after", content: "x" },
      ),
    ],
    [
      "pax 0.1",
      buildTar(
        paxMember([
          ["GNU.sparse.name", "s"],
          ["GNU.sparse.size", "12"],
          ["GNU.sparse.map", "2,3,9,2"],
        ]),
        { name: "GNUSparseFile.0/s", content: "abcde" },
        { name: "after", content: "x" },
      ),
    ],
    [
      "pax 1.0",
      buildTar(paxMember(version1), { name: "GNUSparseFile.0/s", content: leading }, { name: "after", content: "x" }),
    ],
  ];

  it.each(formats)("puts the holes of format %s back", (_, archive) => {
    expect(walk(archive)).toEqual({ "s:12": real, "after:1": "x" });
  });

  it("takes no longer map than its limit lets it", () => {
    const full = Array.from({ length: 21 }, (_, index) => [20 + index, 0]).flat();
    const archive = extended(gnuSparse([2, 3, 9, 2], 100, 1), [extension(full, 1), extension([50, 0], 0)]);
    const numbers = 4 + 42 + 2;

    expect(Object.keys(walk(archive, { ...defaultLimits, maxMetaBytes: numbers * 8 }))).toEqual(["s:100", "after:1"]);
    expect(() => walk(archive, { ...defaultLimits, maxMetaBytes: numbers * 8 - 1 })).toThrow(
      expect.objectContaining({ code: "memory_limit", message: expect.stringContaining("24 segments") }),
    );
  });

  it.each([
    ["a real size", { 483: "x" }, /real size is not a number/],
    ["an offset", { 386: "x" }, /segment 0 is not a number/],
    ["a length", { 386: `${octal(2)}x`, 410: octal(0) }, /segment 0 is not a number/],
    ["a later offset", { 386: `${octal(2)}${octal(3)}x` }, /segment 1 is not a number/],
  ])("refuses a GNU header with %s that is not a number", (_, fields, message) => {
    const member = gnuSparse([2, 3], 12);

    expect(() => walk(buildTar({ ...member, fields: { ...member.fields, ...fields } }))).toThrow(
      expect.objectContaining({ code: "malformed_archive", message: expect.stringMatching(message) }),
    );
  });

  const bad: readonly [string, string, readonly number[] | undefined][] = [
    ["a segment beyond the real size", "abcde", [9, 5]],
    ["segments that overlap", "abcde", [2, 3, 4, 2]],
    ["more than is stored", "abc", [0, 5]],
    ["a map with an odd number of numbers", "abcde", [0]],
    ["a leading map that is not a number", "x\n", undefined],
    ["a leading map that never ends", "99999999\n1\n2\n", undefined],
    ["a leading map whose last number has no end", "1\n0\n35", undefined],
    ["no leading map", "", undefined],
    ["a large content without a leading map", "x".repeat(1024 ** 2), undefined],
  ];

  it("refuses a leading map with very many segments before it reads them", () => {
    const stored = new TextEncoder().encode("1000001\n");

    expect(() => expandSparse(stored, { realBytes: 12, map: undefined }, 512)).toThrow("more than 1000000 segments");
  });

  it.each(bad)("refuses %s", (_, stored, map) => {
    expect(() => expandSparse(new TextEncoder().encode(stored), { realBytes: 12, map }, 512)).toThrow(
      expect.objectContaining({ code: "malformed_archive", message: expect.stringContaining("byte 512") }),
    );
  });
});
