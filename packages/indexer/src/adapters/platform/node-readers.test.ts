import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mountSmallDisk, noSmallDisk, skipNote } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeHasher, openScratch } from "./node-readers.ts";

let folder = "";

describe("nodeHasher", () => {
  it.each(["sha256", "sha512"] as const)("computes %s piece by piece", (algorithm) => {
    const hasher = nodeHasher(algorithm);
    hasher.update(new TextEncoder().encode("hel"));
    hasher.update(new TextEncoder().encode("lo"));

    expect(hasher.hex()).toBe(createHash(algorithm).update("hello").digest("hex"));
  });
});
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "scratch-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 31) >> 5));

describe("openScratch", () => {
  it("gives back the parts of what was appended, whether read in between or not", () => {
    using scratch = openScratch(folder);
    const content = scratch.begin();
    const other = scratch.begin();
    other?.append(Buffer.from("other"));

    for (let at = 0; at < bytes.length; at += 70_001) {
      expect(content?.append(bytes.subarray(at, at + 70_001))).toBe(true);
      expect(content?.subarray(at, at + 10)).toEqual(Uint8Array.from(bytes.subarray(at, at + 10)));
    }

    expect([content?.length, other?.length]).toEqual([300_000, 5]);
    for (const [start, end] of [
      [0, 1],
      [65_530, 65_536],
      [65_530, 65_540],
      [65_536, 131_072],
      [10, 299_000],
      [299_999, 400_000],
      [300_000, 300_004],
      [50_000, 50_000],
    ] as const) {
      expect(content?.subarray(start, end)).toEqual(Uint8Array.from(bytes.subarray(start, end)));
    }
    expect(Buffer.from(other?.subarray(0, 9) ?? []).toString()).toBe("other");
  });

  it("leaves a part as it is when many others are read", () => {
    using scratch = openScratch(folder);
    const content = scratch.begin();
    for (let turn = 0; turn < 12; turn++) content?.append(bytes);
    const first = content?.subarray(0, 100);

    for (let at = 0; at < 12 * bytes.length; at += 30_000) content?.subarray(at, at + 10);

    expect(first).toEqual(Uint8Array.from(bytes.subarray(0, 100)));
    expect(content?.subarray(0, 100)).toEqual(first);
  });

  it("leaves nothing in the folder, not even while it is used", () => {
    using scratch = openScratch(folder);
    scratch.begin()?.append(bytes);

    expect(readdirSync(folder)).toEqual([]);
  });

  it("closes its files when it is disposed of", () => {
    const scratch = openScratch(folder);
    const content = scratch.begin();
    content?.append(bytes);
    scratch[Symbol.dispose]();

    expect(() => content?.subarray(0, 10)).toThrow("closed");
  });

  it("has no room where no file can be made", () => {
    using scratch = openScratch(join(folder, "missing"));

    expect(scratch.begin()).toBeUndefined();
  });

  it.skipIf(noSmallDisk !== undefined)(`says so when the disk is full${skipNote(noSmallDisk)}`, () => {
    using disk = mountSmallDisk(1);
    using scratch = openScratch(disk?.folder);
    const content = scratch.begin();
    const part = bytes.subarray(0, 200_000);
    let appended = 0;
    while (content?.append(part) === true) appended++;

    expect([appended, content?.length]).toEqual([5, 1_000_000]);
    expect(content?.subarray(999_990, 1_000_010)).toEqual(Uint8Array.from(part.subarray(199_990)));
  });
});
