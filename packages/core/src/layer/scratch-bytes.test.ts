/** Large contents of a layer where there is room outside memory: what is read is the same, wherever it was kept. */
import { createHash } from "node:crypto";
import { buildTar, type OddMember, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { defaultLimits, type Limits } from "../bytes/limits.ts";
import { allEvidenceRules } from "../ecosystems/all-evidence.ts";
import { createGunzip } from "../inflate/gunzip.ts";
import type { Scratch, ScratchContent } from "../ports.ts";
import { readLayer } from "./read-layer.ts";
import { scratchFromBytes } from "./scratch-bytes.ts";

/** Room for so many bytes in each content, and what was put there. */
function roomFor(bytes: number): Scratch & { readonly contents: Buffer[][] } {
  const contents: Buffer[][] = [];
  return {
    contents,
    begin(): ScratchContent | undefined {
      if (bytes === 0) return undefined;
      const parts: Buffer[] = [];
      contents.push(parts);
      return {
        length: 0,
        append(this: { length: number }, part) {
          if (this.length + part.length > bytes) return false;
          parts.push(Buffer.from(part));
          this.length += part.length;
          return true;
        },
        clear(this: { length: number }) {
          parts.length = 0;
          this.length = 0;
        },
        subarray: (start, end) => Uint8Array.from(Buffer.concat(parts).subarray(start, end)),
      };
    },
  };
}

function read(scratch: Scratch, members: readonly OddMember[], limits: Partial<Limits> = {}) {
  return readLayer({
    open: () => streamBytes(buildTar(...members), 1_000_001),
    reopens: true,
    expected: {},
    wants: () => true,
    evidence: allEvidenceRules,
    decompressors: { gzip: createGunzip() },
    createHasher: (algorithm) => {
      const hash = createHash(algorithm);
      return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") };
    },
    limits: { ...defaultLimits, ...limits },
    scratch,
  });
}

const large = Buffer.alloc(scratchFromBytes + 1000, "0123456789abcdef!");
const digestOf = (bytes: Uint8Array | undefined) => bytes && createHash("sha256").update(bytes).digest("hex");

describe("a large file of a layer", () => {
  it.each([
    ["outside memory", large.length],
    ["in memory where the room outside ends before the file", 20e6],
    ["in memory where there is no room outside", 0],
  ])("is kept %s", async (_, room) => {
    const scratch = roomFor(room);

    const { files } = await read(scratch, [
      { name: "small", content: "S" },
      { name: "large", content: large, mode: 0o640 },
      { name: "link", type: "2", linkName: "large" },
      { name: "after", content: "A" },
    ]);

    expect([...files.keys()]).toEqual(["after", "large", "link", "small"]);
    expect([files.get("small")?.bytes, files.get("after")?.bytes]).toEqual([Uint8Array.of(83), Uint8Array.of(65)]);
    for (const path of ["large", "link"]) {
      const file = files.get(path);
      expect([file?.contentPath, file?.mode, file?.parts.length]).toEqual(["large", 0o640, large.length]);
      expect(digestOf(file?.parts.subarray(17, 30_000_000))).toBe(digestOf(large.subarray(17, 30_000_000)));
      expect(digestOf(file?.bytes)).toBe(digestOf(large));
      expect(file?.bytes).toBe(file?.bytes); // read once
    }
    const isOutside = room === large.length;
    expect(files.get("large")?.parts instanceof Uint8Array).toBe(!isOutside);
    expect(scratch.contents).toHaveLength(room === 0 ? 0 : 1); // small ones are never there
  });

  it("counts as what is kept, wherever it is", async () => {
    const members = ["1", "2"].map((name) => ({ name, content: large }));
    const limits = { maxKeptBytes: 1.5 * large.length };

    await expect(read(roomFor(0), members, limits)).rejects.toMatchObject({ code: "memory_limit" });
    await expect(read(roomFor(large.length), members, limits)).rejects.toMatchObject({ code: "memory_limit" });
  });

  it("is put together in memory where its holes are not stored", async () => {
    const octal = (value: number) => `${value.toString(8).padStart(11, "0")}\0`;
    const fields = { 386: `${octal(0)}${octal(large.length)}`, 482: "\0", 483: octal(large.length + 3) };

    const scratch = roomFor(large.length);
    const { files } = await read(scratch, [{ name: "s", type: "S", format: "gnu", content: large, fields }]);

    expect(digestOf(files.get("s")?.bytes)).toBe(digestOf(Buffer.concat([large, Buffer.alloc(3)])));
    expect(scratch.contents).toEqual([]);
  });

  it("is looked at for evidence meanwhile", async () => {
    const program = Buffer.from(large);
    program.write("\x7fELF", 0, "latin1");
    program.write("\xff Go buildinf:", 32_000, "latin1");

    const { evidence, files } = await read(roomFor(program.length), [{ name: "tool", content: program, mode: 0o755 }]);

    expect(evidence.map(({ path }) => path)).toEqual(["tool"]);
    expect(digestOf(files.get("tool")?.bytes)).toBe(digestOf(program));
  });
});
