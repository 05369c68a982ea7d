import { describe, expect, it } from "vitest";
import { buildNdb } from "./fixtures/build-ndb.ts";
import { linesOf, textRecord } from "./fixtures/records-of.ts";
import { adler32, readNdb } from "./ndb.ts";

const whole = buildNdb([textRecord(1, "first"), textRecord(2, "second ".repeat(50)), textRecord(7, "third")]);
const lines = ["1:first", `2:${"second ".repeat(50)}`, "7:third"];
const firstSlot = 32;
const firstBlob = 4096;

describe("readNdb", () => {
  it("reads the blobs of all slots in use", () => {
    expect(linesOf(readNdb(whole))).toEqual(lines);
    expect(linesOf(readNdb(buildNdb([])))).toEqual([]);
  });

  it.each([
    ["a slot without its magic", firstSlot, 0, `expected "Slot", found 0x0`],
    ["a slot of another package", firstSlot + 4, 5, `expected "BlbS" and package 5 at offset 4096`],
    ["a slot that leads into the slots", firstSlot + 8, 2, "expected a block after the slots, found block 2"],
    ["a slot that leads far away", firstSlot + 8, 0xffffffff, /expected \d+ bytes at offset 68719476720/],
    ["a slot of no blocks", firstSlot + 12, 0, /expected 1 bytes at offset 12, found 0 bytes/],
    ["a blob without its magic", firstBlob, 0, `expected "BlbS" and package 1 at offset 4096`],
    ["a blob of another length", firstBlob + 12, 6, `expected length 6 and "BlbE" at offset 4136`],
    ["a blob with other content", firstBlob + 16, 0, /expected Adler-32 \d+, found \d+/],
    ["a blob without its end", firstBlob + 44, 0, `expected length 5 and "BlbE" at offset 4136`],
  ])("reads the other packages beside %s", (_, offset, value, message) => {
    const [damage, ...others] = linesOf(readNdb(patched(offset, value)));

    expect(damage).toMatch(/^slot at offset 32: /);
    expect(damage).toMatch(message);
    expect(others).toEqual(lines.slice(1));
  });

  it("refuses a file with packages that no slot names", () => {
    const damaged = whole.slice();
    for (let at = firstSlot; at < 4096; at += 16) damaged.fill(0, at + 4, at + 16);

    expect(() => linesOf(readNdb(damaged))).toThrow(/expected slots for the packages of the file, found none/);
  });

  it("stops at slots that name more blocks than there are", () => {
    const damaged = whole.slice();
    for (let at = firstSlot; at < 4096; at += 16) damaged.copyWithin(at, firstSlot + 16, firstSlot + 32);

    expect(() => linesOf(readNdb(damaged))).toThrow(/the slots name more blocks than the \d+ bytes of the file hold/);
  });

  it("yields the complete records of a file truncated anywhere after the slots", () => {
    for (let length = whole.length - 1; length >= 4096; length -= 16) {
      const found = linesOf(readNdb(whole.subarray(0, length)));

      expect(found.filter((line) => !lines.includes(line)).every((line) => line.startsWith("slot at"))).toBe(true);
      expect(found).toHaveLength(3);
    }
  });

  it.each([
    ["another magic", 0, 0, /expected "RpmP"/],
    ["another version", 4, 1, /expected format version 0, found 1/],
    ["no slot pages", 12, 0, /expected 1 to 2048 slot pages, found 0/],
    ["a hostile number of slot pages", 12, 0x7fffffff, /expected 1 to 2048 slot pages, found 2147483647/],
    ["more slot pages than bytes", 12, 2, /expected 8192 bytes at offset 0/],
  ])("rejects a file with %s", (_, offset, value, message) => {
    expect(() => linesOf(readNdb(patched(offset, value)))).toThrow(message);
  });
});

function patched(offset: number, value: number): Uint8Array {
  const copy = whole.slice();
  new DataView(copy.buffer).setUint32(offset, value, true);
  return copy;
}

describe("adler32", () => {
  it.each([
    ["", 1],
    ["a", 0x00620062],
    ["Wikipedia", 0x11e60398],
  ])("of %j", (text, checksum) => {
    expect(adler32(new TextEncoder().encode(text))).toBe(checksum);
  });

  it("stays exact over many bytes", () => {
    expect(adler32(new Uint8Array(100_000).fill(255))).toBe(0x149a_302c);
  });
});
