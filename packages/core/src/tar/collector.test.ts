import { describe, expect, it } from "vitest";
import { Collector } from "./collector.ts";

const megabyte = 1024 ** 2;

describe("Collector", () => {
  it.each([0, 1, 4096, megabyte, megabyte + 1, 3 * megabyte + 7])("gathers %i bytes and no more", (sizeBytes) => {
    const collector = new Collector(sizeBytes);
    const chunk = new Uint8Array(700_001).map((_, index) => index % 251);
    const expected = new Uint8Array(sizeBytes);
    for (let at = 0; at < sizeBytes; ) {
      const count = collector.take(chunk, 1);
      expected.set(chunk.subarray(1, 1 + count), at);
      at += count;
    }
    expect(collector.isFull).toBe(true);
    expect(collector.take(chunk, 0)).toBe(0);
    expect(Buffer.compare(collector.bytes, expected)).toBe(0);
  });

  it("takes as much memory as arrives, where it is, not as much as is stated", () => {
    const collector = new Collector(200 * megabyte);
    const { buffer } = collector.bytes;
    const before = buffer.byteLength;
    for (let part = 0; part < 9; part++) collector.take(new Uint8Array(megabyte), 0);
    expect(before).toBe(megabyte);
    expect(buffer.byteLength).toBe(16 * megabyte);
    expect(collector.bytes.buffer).toBe(buffer);
  });
});
