import { describe, expect, it } from "vitest";
import { PassingBytes } from "./passing-bytes.ts";
import { scratchFromBytes } from "./scratch-bytes.ts";

const megabyte = 1024 ** 2;

/** A content of so many bytes, all the same, in parts that end anywhere. */
function* partsOf(sizeBytes: number, value: number): Generator<Uint8Array> {
  for (let at = 0; at < sizeBytes; at += 300_001) {
    yield new Uint8Array(Math.min(300_001, sizeBytes - at)).fill(value);
  }
}

describe("PassingBytes", () => {
  it("gives each content alone, whatever sizes went before it", () => {
    const passing = new PassingBytes();
    const sizes = [5, megabyte, 3, megabyte + 1, 5 * megabyte, 4 * megabyte, scratchFromBytes - 1, scratchFromBytes, 7];
    const found = sizes.map((sizeBytes, index) => {
      const gathering = passing.begin(sizeBytes);
      const wholeBefore = gathering.whole;
      for (const part of partsOf(sizeBytes, index + 1)) gathering.take(part);
      const bytes = gathering.whole?.subarray(0, sizeBytes + 1) ?? new Uint8Array(0);
      return [wholeBefore, Buffer.alloc(sizeBytes, index + 1).equals(bytes)];
    });
    expect(found).toEqual(sizes.map(() => [undefined, true]));
  });

  it("has text in memory that every platform decodes: it does not grow in place", () => {
    const whole = new PassingBytes().begin(2 * megabyte);
    whole.take(new Uint8Array(2 * megabyte));
    expect(whole.whole?.subarray(0, 1).buffer).toMatchObject({ resizable: false });
  });
});
