/** Small documents that grow without end, or that ask for much memory or time: what the process needs for each. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { crc32, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { programWords } from "./support/killed-program.ts";

const program = programWords(new URL("support/decompress-document.ts", import.meta.url));
const mib = 1024 ** 2;

/** The largest content that the reader accepts here; the registry has 8 GiB for a feed. */
const maxBytes = 256 * mib;

/** The process itself, and two of the largest windows: the garbage collector may be late. */
const maxPeakBytes = 450 * mib;

interface Outcome {
  readonly contentBytes: number;
  readonly problem?: string;
  readonly peakBytes: number;
}

async function outcomeOf(document: Uint8Array): Promise<Outcome> {
  const [command = "", ...words] = [process.execPath, ...program, String(maxBytes)];
  const child = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"], timeout: 170_000, killSignal: "SIGKILL" });
  child.stdin.on("error", () => {}).end(document); // it may stop reading
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return JSON.parse(output) as Outcome;
}

const repeated = (count: number, bytes: Uint8Array) => Buffer.concat(Array.from({ length: count }, () => bytes));

/** A Zstandard frame of blocks that repeat one byte; `window` is the byte of its header. */
function repeatingFrame({ window, blocks, blockBytes }: Readonly<Record<"blockBytes" | "blocks" | "window", number>>) {
  const block = Buffer.from([0, 0, 0, 97]);
  block.writeUIntLE((blockBytes << 3) | 2, 0, 3);
  return Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0, window), repeated(blocks, block), Buffer.of(3, 0, 0, 97)]);
}

/** `xz` of nothing in no block, and of a text in one. */
const emptyXz = Buffer.from("/Td6WFoAAATm1rRGAAAAABzfRCEftvN9AQAAAAAEWVo=", "base64");
const smallXz = Buffer.from(
  "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AARAAxdADQZSe6N6U9+ISGwAAAfAdnIh8FDyAABKBLJamKOH7bzfQEAAAAABFla",
  "base64",
);

/** `bzip2` of 45.9 MB of zeros, which is one block: 46 bytes. */
const block = Buffer.from("QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXF3JFOFCQDgni3w==", "base64");

/** Changes the window that the first block of an xz file states: 40 is 4 GiB. */
function withWindow(xz: Uint8Array, window: number): Uint8Array {
  const copy = Buffer.from(xz);
  const [start, length] = [12, 12];
  copy[start + 4] = window;
  copy.writeUInt32LE(crc32(copy.subarray(start, start + length - 4)), start + length - 4);
  return copy;
}

const tooLong = `bomb: more than ${maxBytes} bytes`;

describe("a compressed document", () => {
  it.each<{ what: string; document: () => Uint8Array; problem?: string }>([
    { what: "gzip of 512 MB", document: () => repeated(8, gzipSync(Buffer.alloc(64 * mib))), problem: tooLong },
    { what: "gzip of many empty members", document: () => repeated(300_000, gzipSync("")) },
    { what: "zstd of 1 GB", document: () => zstdCompressSync(Buffer.alloc(1024 * mib)), problem: tooLong },
    {
      what: "zstd of blocks of 4 bytes that stand for 128 KiB",
      document: () => repeatingFrame({ window: 0x38, blocks: 20_000, blockBytes: 128 * 1024 }),
      problem: tooLong,
    },
    {
      what: "zstd of many small blocks in a large window",
      document: () => repeatingFrame({ window: 17 << 3, blocks: 100_000, blockBytes: 1 }),
      problem: "bomb: zstd: too many small blocks for the size of the window",
    },
    {
      what: "zstd of many frames with large windows",
      document: () => repeated(10_000, repeatingFrame({ window: 17 << 3, blocks: 1, blockBytes: 1 })),
      problem: "bomb: zstd: too many small blocks for the size of the window",
    },
    {
      what: "zstd whose window is 2 TB",
      document: () => repeatingFrame({ window: 31 << 3, blocks: 1, blockBytes: 1 }),
      problem: "bomb: zstd: a window of 2199023255552 bytes, expected at most 134217728",
    },
    {
      what: "zstd whose second frame has a window of 1 GB",
      document: () =>
        Buffer.concat([zstdCompressSync("a"), repeatingFrame({ window: 20 << 3, blocks: 1, blockBytes: 1 })]),
      problem: "bomb: zstd: a window of 1073741824 bytes, expected at most 134217728",
    },
    {
      what: "zstd with a frame of 4 GB to skip",
      document: () => Buffer.concat([zstdCompressSync("a"), Buffer.of(0x50, 0x2a, 0x4d, 0x18, 255, 255, 255, 255)]),
      problem: "bomb: zstd: the bytes end within a frame",
    },
    {
      what: "xz whose window is 4 GiB",
      document: () => withWindow(smallXz, 40),
      problem: "bomb: xz: found a window of 4294967296 bytes, expected at most 134217728",
    },
    { what: "xz whose window is 128 MiB, of small blocks", document: () => repeated(2000, withWindow(smallXz, 30)) },
    { what: "xz of many empty streams", document: () => repeated(100_000, emptyXz) },
    {
      what: "bzip2 of blocks of 46 bytes that stand for 46 MB",
      document: () => repeated(1000, block),
      problem: tooLong,
    },
  ])(
    "is read in bounded memory: $what",
    async ({ document, problem }) => {
      const outcome = await outcomeOf(document());

      expect(outcome.problem).toBe(problem);
      expect(outcome.peakBytes).toBeLessThan(maxPeakBytes);
    },
    60_000,
  );
});
