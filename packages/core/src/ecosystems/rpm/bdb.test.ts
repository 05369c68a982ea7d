import { describe, expect, it } from "vitest";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import { readBdb } from "./bdb.ts";
import { type BdbShape, buildBdb } from "./fixtures/build-bdb.ts";
import { linesOf, textRecord } from "./fixtures/records-of.ts";

const short = "short";
const long = "a value on many overflow pages; ".repeat(100);
const records = [textRecord(1, short), textRecord(2, long), textRecord(259, "third")];
const lines = [`1:${short}`, `2:${long}`, "259:third"];
const pageSize = 512;

describe("readBdb", () => {
  it.each<[string, BdbShape]>([
    ["little-endian", {}],
    ["big-endian", { littleEndian: false }],
    ["before Berkeley DB 4.6", { hashPageType: 2 }],
    ["with large pages and inline values", { pageSize: 65536 }],
    ["with overflow pages only", { maxInlineBytes: 0, littleEndian: false }],
  ])("reads a hash %s", (_, shape) => {
    expect(linesOf(readBdb(buildBdb(records, shape)))).toEqual(lines);
  });

  it("reads a hash without packages", () => {
    expect(linesOf(readBdb(buildBdb([])))).toEqual([]);
  });

  it("yields the complete records of a file truncated at any page, and reports the truncation", () => {
    const whole = buildBdb(records);
    for (let pages = whole.length / pageSize - 1; pages > 0; pages--) {
      const found = linesOf(readBdb(whole.subarray(0, pages * pageSize)));

      expect(found.at(-1)).toBe(
        `page ${pages}: expected ${whole.length / pageSize} pages, found ${pages}: the file is truncated`,
      );
      expect(found.slice(0, -1).every((line) => lines.includes(line) || line.startsWith("item 0 of page 3:"))).toBe(
        true,
      );
    }
  });

  it("reads all pages of a file whose meta page has a smaller number, and reports the difference", () => {
    const damaged = buildBdb(records);
    new DataView(damaged.buffer).setUint32(32, 0, true);

    expect(linesOf(readBdb(damaged))).toEqual([
      ...lines,
      `meta page: expected 1 pages as it says, found ${damaged.length / pageSize} in the file; all were read`,
    ]);
  });

  it("ignores unused pages at the end", () => {
    expect(linesOf(readBdb(concatBytes([buildBdb(records), new Uint8Array(2 * pageSize)])))).toEqual(lines);
  });

  it("reports empty pages if the meta page has a number of packages", () => {
    const emptied = buildBdb(records).fill(0, pageSize);
    new DataView(emptied.buffer).setUint32(88, 4, true);

    expect(linesOf(readBdb(emptied))).toEqual(["meta page: expected 4 pairs of key and value as it says, found none"]);
  });

  it.each([
    ["leads back into itself", 16, 4, "page 4 is referred to twice: a loop or a shared page"],
    ["leads to no page", 16, 9999, "expected a page up to 11, found a reference to page 9999"],
    ["leads to a page of another kind", 16, 1, "expected page type 7 for page 1, found type 13"],
    ["ends early", 16, 0, "expected 3200 bytes on overflow pages, found 972"],
  ])("leaves out only the value whose chain %s", (_, field, next, message) => {
    const damaged = buildBdb(records);
    new DataView(damaged.buffer).setUint32(5 * pageSize + field, next, true); // page 5: the second of the chain

    expect(linesOf(readBdb(damaged))).toEqual([lines[0], `item 0 of page 3: ${message}`, lines[2]]);
  });

  it.each([
    ["a page type no hash has", 1, 25, 9, "page 1: expected a page of a hash (type 0, 2, 7 or 13), found type 9"],
    ["items that overlap", 2, 28, 0xff, "page 2: item 1 of 2 overlaps others or the offsets"],
    ["a hostile number of items", 2, 20, 255, "page 2: item 0 of 255 overlaps others or the offsets"],
    ["a key without a value", 2, 20, 1, "item 0 of page 2: expected a value after the last key"],
    ["a key of another type", 2, 507, 2, "item 0 of page 2: expected a key of type 1 and 4 bytes, found 5 bytes"],
    ["a value of another type", 2, 501, 4, "item 0 of page 2: expected a value of type 1 or 3, found type 4"],
  ])("reads the other pages beside one with %s", (_, page, offset, byte, line) => {
    const damaged = buildBdb(records);
    damaged[page * pageSize + offset] = byte;

    const found = linesOf(readBdb(damaged));

    expect(found).toContain(line);
    expect(found).toEqual(expect.arrayContaining(lines.slice(1)));
  });

  it.each([
    ["a page size of 100", 20, 100, /page size of 512 to 65536 bytes, found 100/],
    ["a page size that is no power of two", 20, 513, /found 513/],
    ["a page size of 2 GiB", 20, 0x80000000, /found 2147483648/],
    ["encryption", 24, 0x0801, /without encryption/],
    ["another type of page 0", 24, 0x0900, /expected page type 8 for page 0, found type 9/],
    ["another magic", 12, 0x00053162, /expected the magic of a Berkeley DB hash/],
  ])("rejects a file with %s", (_, offset, value, message) => {
    const damaged = buildBdb(records);
    new DataView(damaged.buffer).setUint32(offset, value, true);

    expect(() => linesOf(readBdb(damaged))).toThrow(message);
  });
});
