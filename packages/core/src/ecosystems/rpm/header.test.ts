import { describe, expect, it } from "vitest";
import { binary, buildHeader, buildRegionHeader, numbers, text, texts, translated } from "./fixtures/build-header.ts";
import { decodeHeader, headerBytes, headerNumber, headerNumbers, headerString, headerStrings } from "./header.ts";

const entries = [
  text(1000, "bash"),
  translated(1004, ["The shell", "Die Shell"]),
  numbers(1116, [0, 0, 4294967295]),
  texts(1117, ["bash", "sh", ""]),
  binary(261, Uint8Array.of(1, 2, 3)),
];

describe("decodeHeader", () => {
  it.each([
    ["an immutable region", buildRegionHeader(entries)],
    ["no region, as before rpm 4", buildHeader(entries)],
    ["a legacy region at offset 0", buildHeader([{ ...binary(63, new Uint8Array(0)), count: 16 }, ...entries])],
  ])("reads a header with %s", (_, blob) => {
    const header = decodeHeader(blob);

    expect(headerString(header, 1000)).toBe("bash");
    expect(headerString(header, 1004)).toBe("The shell");
    expect(headerNumber(header, 1116)).toBe(0);
    expect(headerNumbers(header, 1116)).toEqual([0, 0, 4294967295]);
    expect(headerStrings(header, 1117)).toEqual(["bash", "sh", ""]);
    expect(headerBytes(header, 261)).toEqual(Uint8Array.of(1, 2, 3));
    expect(headerString(header, 9999)).toBeUndefined();
  });

  it("prefers a dribble to the entry of the region", () => {
    const header = decodeHeader(buildRegionHeader([text(1000, "packed"), text(1001, "1")], [text(1000, "installed")]));

    expect(headerString(header, 1000)).toBe("installed");
    expect(headerString(header, 1001)).toBe("1");
  });

  const sound = buildRegionHeader(entries);
  const trailer = sound.length - 16; // the last entry of the store in this header
  it.each([
    ["no entries", patched(sound, 0, 0), /expected 1 to 65535 header entries, found 0/],
    ["immense entries", patched(sound, 0, 0xffffffff), /expected 1 to 65535 header entries, found 4294967295/],
    ["one entry more", patched(sound, 0, 7), /expected a header of \d+ bytes, found/],
    ["an immense store", patched(sound, 4, 0xffffffff), /expected a header of \d+ bytes, found/],
    ["a missing byte", sound.subarray(0, -1), /expected a header of \d+ bytes, found/],
    ["no bytes", new Uint8Array(0), /expected 1 bytes at offset 0, found 0 bytes in all/],
    ["a region outside of the store", patched(sound, 16, 5000), /expected 16 bytes at offset 5000/],
    ["a region with another count", patched(sound, 20, 15), /expected a region of 1 to 6 entries/],
    ["a trailer with another tag", patched(sound, trailer, 1000), /expected a region of 1 to 6 entries/],
    ["a trailer for too many entries", patched(sound, trailer + 8, -16 * 7), /found one of 7/],
    ["a trailer for half an entry", patched(sound, trailer + 8, -24), /found one of 1.5/],
  ])("rejects a header with %s", (_, blob, message) => {
    expect(() => decodeHeader(blob)).toThrow(message);
  });
});

describe("the content of a tag", () => {
  const name = 8; // the only entry's offset in the header
  const one = buildHeader([text(1000, "bash")]);
  it.each([
    ["of another type", patched(one, name + 4, 7), /expected type 6 or 9 for tag 1000, found type 7/],
    ["before the store", patched(one, name + 8, -1), /expected 1 texts at offset -1/],
    ["past the store", patched(one, name + 8, 5), /expected 1 texts at offset 5, found 0/],
    ["without an end", Uint8Array.from(one.with(-1, 65)), /expected 1 texts at offset 0, found 0/],
    ["longer than any text", buildHeader([text(1000, "a".repeat(65537))]), /at most 65536 characters/],
  ])("%s is not read", (_, blob, message) => {
    const header = decodeHeader(blob);

    expect(() => headerString(header, 1000)).toThrow(message);
  });

  it.each([
    ["texts", texts(1117, ["a", "b"]), headerStrings],
    ["numbers", numbers(1117, [1, 2]), headerNumbers],
    ["bytes", binary(1117, Uint8Array.of(1, 2)), headerBytes],
  ])("with a hostile count of %s is not read", (_, entry, read) => {
    const header = decodeHeader(buildHeader([{ ...entry, count: 0xffffffff }]));

    expect(() => read(header, 1117)).toThrow(/expected/);
  });

  it.each([
    ["texts", { type: 8, content: new Uint8Array(1_000_001) }, headerStrings],
    ["numbers", { type: 4, content: new Uint8Array(4_000_004) }, headerNumbers],
  ])("with more %s than any package has is not read", (_, entry, read) => {
    const header = decodeHeader(buildHeader([{ tag: 1117, count: 1_000_001, ...entry }]));

    expect(() => read(header, 1117)).toThrow("expected at most 1000000 values, found 1000001");
  });
});

function patched(bytes: Uint8Array, offset: number, value: number): Uint8Array {
  const copy = bytes.slice();
  new DataView(copy.buffer).setInt32(offset, value);
  return copy;
}
