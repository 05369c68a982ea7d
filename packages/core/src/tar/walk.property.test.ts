import { buildTar, concatBytes, longNameMember, paxMember } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../bytes/limits.ts";
import { ScanError } from "../errors.ts";
import { TarWalker } from "./walk.ts";

const runs = { numRuns: 300, seed: 20261121 };
const limits = { ...defaultLimits, maxEntries: 1000, maxMetaBytes: 10_000 };

/** Everything a walk shows, or the error it ends in. */
function outcome(archive: Uint8Array, chunkBytes: readonly number[]): string {
  const seen: string[] = [];
  const walker = new TarWalker(
    {
      entry(entry) {
        seen.push(JSON.stringify(entry));
        return entry.storedBytes < 100_000 && entry.sizeBytes < 100_000;
      },
      content(entry, bytes) {
        seen.push(`${entry.name}: ${Buffer.from(bytes).toString("base64")}`);
      },
    },
    limits,
  );
  try {
    for (let at = 0, turn = 0; at < archive.length; turn++) {
      const length = chunkBytes[turn % chunkBytes.length] ?? archive.length;
      walker.write(archive.slice(at, at + length));
      at += length;
    }
    walker.end();
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    seen.push(`${error.code}: ${error.message}`);
  }
  return seen.join("\n");
}

/** One of everything that an archive may hold. */
const sparseMap = Buffer.from(["2", "3", "11", "2"].map((octal) => octal.padStart(11, "0").padEnd(12, "\0")).join(""));
const everything = buildTar(
  { name: "folder/", type: "5" },
  { name: "folder/file", content: "x".repeat(700) },
  longNameMember("long/".repeat(40)),
  { name: "short", content: "long" },
  longNameMember("target/".repeat(30), "K"),
  { name: "link", type: "2", linkName: "short" },
  paxMember([
    ["path", "päx"],
    ["size", "3"],
  ]),
  { name: "p", content: "pax" },
  paxMember([["comment", "global"]], "g"),
  paxMember([
    ["GNU.sparse.major", "1"],
    ["GNU.sparse.minor", "0"],
    ["GNU.sparse.name", "sparse"],
    ["GNU.sparse.realsize", "12"],
  ]),
  { name: "s", content: `${"2\n2\n3\n9\n2\n".padEnd(512, "\0")}abcde` },
  { name: "gnu", type: "S", format: "gnu", content: "abcde", fields: { 386: sparseMap, 483: "00000000014\0" } },
  { name: "hard", type: "1", linkName: "folder/file" },
);

/** Makes every header's checksum right again, so that damage gets past it. */
function repairChecksums(archive: Uint8Array): Uint8Array {
  const repaired = new Uint8Array(archive);
  for (let at = 0; at < repaired.length; at += 512) {
    const block = repaired.subarray(at, at + 512);
    if (block.length < 512 || Buffer.from(block.subarray(257, 262)).toString() !== "ustar") continue;
    block.fill(0x20, 148, 156);
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.set(Buffer.from(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
  }
  return repaired;
}

const chunkings = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 5 });
const damage = fc.array(fc.tuple(fc.nat(everything.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });

function damaged(changes: readonly (readonly [number, number])[]): Uint8Array {
  const bytes = new Uint8Array(everything);
  for (const [at, value] of changes) bytes[at] = value;
  return repairChecksums(bytes);
}

describe("TarWalker", () => {
  it("sees the same in an archive however it is cut into chunks", () => {
    fc.assert(
      fc.property(chunkings, (chunks) => outcome(everything, chunks) === outcome(everything, [everything.length])),
      runs,
    );
  });

  it("ends a damaged archive in the same way every time, and never in another error than a ScanError", () => {
    fc.assert(
      fc.property(damage, chunkings, (changes, chunks) => {
        const archive = damaged(changes);
        expect(outcome(archive, chunks)).toBe(outcome(archive, [archive.length]));
      }),
      runs,
    );
  });

  it("says of every archive that is cut within what it holds that it is truncated", () => {
    const contentEnd = everything.length - 1024;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: contentEnd - 1 }), (length) => {
        const seen = outcome(everything.subarray(0, length), [length]);
        expect(length % 512 === 0 || seen.includes("layer_truncated")).toBe(true);
      }),
      runs,
    );
  });

  it("ends any bytes behind a good archive", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        expect(outcome(concatBytes([everything, bytes]), [777])).toBe(outcome(everything, [777]));
      }),
      runs,
    );
  });
});
