import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import { bigEndian, byteAt, bytesAt, littleEndian } from "./byte-order.ts";

const bytes = Uint8Array.of(0x01, 0x02, 0x83, 0xff, 0x04);

/** 0x1f04030201 as least significant bytes come first; the same from the other end. */
const wide = Uint8Array.of(0, 0x01, 0x02, 0x03, 0x04, 0x1f, 0, 0, 0, 0);

describe.each([
  ["littleEndian", littleEndian, 0x8302, 0x04ff8302],
  ["bigEndian", bigEndian, 0x0283, 0x0283ff04],
])("%s", (_, order, u16, u32) => {
  it("reads unsigned numbers", () => {
    expect(order.u16(bytes, 1)).toBe(u16);
    expect(order.u32(bytes, 1)).toBe(u32);
    expect(order.u32(Uint8Array.of(255, 255, 255, 255), 0)).toBe(2 ** 32 - 1);
    expect(order.u64(order === littleEndian ? wide : wide.toReversed(), 1)).toBe(0x1f_0403_0201);
  });

  it.each([-1, 2, 5, 2 ** 40, Number.NaN])("does not read outside of the bytes: at %d", (offset) => {
    expect(() => order.u32(bytes, offset)).toThrow(ScanError);
  });
});

describe("byteAt", () => {
  it("reads one byte, and none outside", () => {
    expect(byteAt(bytes, 2)).toBe(0x83);
    expect(() => byteAt(bytes, 5)).toThrow("expected 1 bytes at offset 5, found 5 bytes in all");
  });
});

describe("bytesAt", () => {
  it("gives a part without copying it", () => {
    expect(bytesAt(bytes, 1, 2)).toEqual(Uint8Array.of(0x02, 0x83));
    expect(bytesAt(bytes, 5, 0)).toHaveLength(0);
    expect(bytesAt(bytes, 1, 2).buffer).toBe(bytes.buffer);
  });

  it.each([
    [-1, 2],
    [0, 6],
    [4, 2],
    [3, -1],
    [2 ** 40, 1],
  ])("rejects offset %d with length %d", (offset, length) => {
    expect(() => bytesAt(bytes, offset, length)).toThrow(ScanError);
  });
});
