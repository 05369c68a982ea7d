import { describe, expect, it } from "vitest";
import { watchExecutable } from "./watch-program.ts";

const elf = [0x7f, 0x45, 0x4c, 0x46];
const goMark = Buffer.from("\xff Go buildinf:", "latin1");
const rustMark = Buffer.from(".dep-v0\0", "latin1");

const fuse = (state: string) => Buffer.from(`NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:${state}`);
const cookie = Buffer.from("MEI\x0c\x0b\x0a\x0b\x0e", "latin1");

/** A file of 64 KiB that begins with `magic` and has `mark` at offset `at`. All other bytes occur in marks too. */
function fileWith(magic: readonly number[], mark: Uint8Array, at: number): Uint8Array {
  const bytes = new Uint8Array(65_536);
  bytes.forEach((_, index) => {
    bytes[index] = goMark[(index * 7) % goMark.length] ?? 0;
  });
  bytes.set(magic);
  bytes.set(mark, at);
  return bytes;
}

/** The marks found when the file is passed in parts, and the number of bytes passed until the watcher ended. */
function watch(bytes: Uint8Array, partBytes: number): { readonly found: string[]; readonly shown: number } {
  const found: string[] = [];
  const watcher = watchExecutable((kind) => found.push(kind), bytes.length);
  for (let at = 0; at < bytes.length; at += partBytes) {
    const part = bytes.slice(at, at + partBytes);
    const needsMore = watcher(part);
    part.fill(0); // callers reuse the memory of a part
    if (!needsMore) return { found, shown: at + part.length };
  }
  return { found, shown: bytes.length };
}

describe("watchExecutable", () => {
  it.each([
    ["Go in ELF", elf, goMark, 4096, ["go"]],
    ["Go in PE", [0x4d, 0x5a], goMark, 65_520, ["go"]],
    ["Go in Mach-O", [0xcf, 0xfa, 0xed, 0xfe], goMark, 16, ["go"]],
    ["Go's table of functions", elf, Buffer.from("f1ffffff00000108", "hex"), 4096, ["go"]],
    ["Go's table of functions in big-endian PE", [0x4d, 0x5a], Buffer.from("fffffffb00000404", "hex"), 65_504, ["go"]],
    ["no Go in another table", elf, Buffer.from("f2ffffff00000108", "hex"), 4096, []],
    ["no Go in a table at another place", elf, Buffer.from("f1ffffff00000108", "hex"), 4100, []],
    ["Rust in ELF", elf, rustMark, 33_333, ["rust"]],
    ["no Go where the mark is text at another place", elf, goMark, 4097, []],
    ["PyInstaller near the end", elf, cookie, 65_000, ["pyinstaller"]],
    ["PyInstaller in PE", [0x4d, 0x5a], cookie, 65_536 - cookie.length, ["pyinstaller"]],
    ["no PyInstaller elsewhere", elf, cookie, 40_000, []],
    ["Bun near the end", elf, Buffer.from("\n---- Bun! ----\n"), 65_512, ["javascript"]],
    ["Deno near the end", elf, Buffer.from("d3n0l4nd"), 65_520, ["javascript"]],
    ["no Rust in a longer word", elf, Buffer.from(".dep-v0x"), 4096, []],
    ["nothing in a script", [0x23, 0x21, 0x2f, 0x62], goMark, 4096, []],
  ])("finds %s, however the file is cut", (_, magic, mark, at, kinds) => {
    const bytes = fileWith(magic, mark, at);

    for (const partBytes of [1, 3, 13, 14, 15, 512, 4095, 4100, 65_536]) {
      expect(watch(bytes, partBytes).found, `parts of ${partBytes}`).toEqual(kinds);
    }
  });

  it.each([
    ["finds a program in Node.js", "1", 100_000_000, ["javascript"]],
    ["finds none in Node.js alone", "0", 100_000_000, []],
    ["finds none in a file that is too small for Node.js", "1", 65_536, []],
  ])("%s", (_, state, sizeBytes, expected) => {
    const found: string[] = [];

    watchExecutable((kind) => found.push(kind), sizeBytes)(fileWith(elf, fuse(state), 30_000));

    expect(found).toEqual(expected);
  });

  describe("of an ELF file with one segment", () => {
    const [loaded, notLoaded] = [1, 4];
    const [readable, executable] = [4, 5];

    /** The marks found in a file with `mark` at byte 40,000 and one segment from byte 0 to `end`. */
    function findAt40000(
      mark: Uint8Array,
      { type, flags, end }: { readonly type: number; readonly flags: number; readonly end: bigint },
    ): string[] {
      const bytes = fileWith(elf, mark, 40_000);
      const view = new DataView(bytes.buffer);
      bytes.set([2, 1], 4); // 64 bits, little-endian
      view.setBigUint64(32, 64n, true); // the segments
      view.setUint16(54, 56, true);
      view.setUint16(56, 1, true);
      view.setUint32(64, type, true);
      view.setUint32(68, flags, true);
      view.setBigUint64(72, 0n, true);
      view.setBigUint64(96, end, true);
      return watch(bytes, 4096).found;
    }

    it.each([
      ["a section name after the loaded segment", rustMark, loaded, executable, 39_990n, ["rust"]],
      ["no section name within the loaded segment", rustMark, loaded, executable, 50_000n, []],
      ["Go in data", goMark, loaded, readable, 50_000n, ["go"]],
      ["no Go in code", goMark, loaded, executable, 50_000n, []],
      ["no Go after the data", goMark, loaded, readable, 40_000n, []],
      ["no Go in a segment that is not loaded", goMark, notLoaded, readable, 50_000n, []],
    ])("finds %s", (_, mark, type, flags, end, kinds) => {
      expect(findAt40000(mark, { type, flags, end })).toEqual(kinds);
    });
  });

  it("reads only the beginning of other files", () => {
    expect(watch(fileWith([0x50, 0x4b, 3, 4], goMark, 4096), 512).shown).toBe(512);
  });

  it("reads no further after it has found a mark", () => {
    expect(watch(fileWith(elf, goMark, 4096), 1024).shown).toBe(5120);
  });
});
