import { buildTar, type OddMember, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { defaultLimits, type Limits } from "../bytes/limits.ts";
import { pureHasher } from "../bytes/pure-hasher.ts";
import { createEngine } from "../create-engine.ts";
import {
  engineWith,
  fileOf,
  indexLayers,
  listPackages,
  listProblems,
} from "../ecosystems/language/fixtures/index-layers.ts";
import { coalesceFiles } from "../index/coalesce-files.ts";
import { createGunzip } from "../inflate/gunzip.ts";
import { languageKey } from "../model/package.ts";
import type { Detector, FileDetector, LayerFile } from "../plugins/detector.ts";
import type { PackageFinding } from "../plugins/finding.ts";
import type { ScratchContent } from "../ports.ts";
import { FileInspection } from "./file-inspection.ts";
import { readLayer } from "./read-layer.ts";
import { scratchFromBytes } from "./scratch-bytes.ts";

const text = new TextDecoder();

/** A package of the text in a file `*.words` or in a program of Go: its first word and its length. */
const words: FileDetector = {
  name: "words",
  revision: 1,
  programs: "go",
  wants: ({ path }) => path.endsWith(".words"),
  *detect({ path, parts, bytes }: LayerFile) {
    const found = parts ?? bytes;
    const [name = ""] = text.decode(found.subarray(0, 30)).replace("\x7fELF", "elf ").split(" ");
    if (name === "throw") throw new Error("not read");
    yield { kind: "package", packageDb: path, package: { name, version: String(found.length), kind: "BINARY" } };
  },
};

const ecosystem = {
  name: "words",
  detectors: [],
  fileDetectors: [words],
  matchers: [],
  purl: [],
  coalesce: coalesceFiles({ name: "words", key: languageKey }),
};

async function index(members: readonly OddMember[], limits: Partial<Limits> = {}) {
  const report = await indexLayers([members], createEngine({ ecosystems: [ecosystem], limits }));
  return { packages: listPackages(report), problems: listProblems(report), coverage: report.coverage };
}

function nameOf({ package: { name, version }, packageDb }: PackageFinding): string {
  return `${name} ${version} (words) ${packageDb}`;
}

/** A content that is kept in buffers, and noted. */
function bufferContent(contents: Buffer[][]): ScratchContent {
  let parts: Buffer[] = [];
  contents.push(parts);
  return {
    get length() {
      return parts.reduce((sum, part) => sum + part.length, 0);
    },
    append: (bytes) => parts.push(Buffer.from(bytes)) > 0,
    clear() {
      parts = [];
    },
    subarray: (start, end) => Uint8Array.from(Buffer.concat(parts).subarray(start, end)),
  };
}

/** A program of so many bytes with Go's mark at a place where it may stand. */
function goProgram(sizeBytes: number, magic = "\x7fELF"): Uint8Array {
  const bytes = Buffer.alloc(sizeBytes);
  bytes.write(`${magic} `, 0, "latin1");
  bytes.write("\xff Go buildinf:", 16_000, "latin1");
  return bytes;
}

describe("files that are looked at as they pass", () => {
  it("are shown to the detectors that want them, whole", async () => {
    const { packages } = await index([fileOf("./a.words", "first of all"), fileOf("b.text", "second")]);

    expect(packages).toEqual(["first 12 (words) a.words"]);
  });

  it.each<[string, OddMember[], string[]]>([
    [
      "replaced by a later entry",
      [fileOf("a.words", "one"), fileOf("a.words", "other 2")],
      ["other 7 (words) a.words"],
    ],
    ["replaced by a link to nothing", [fileOf("a.words", "one"), { name: "a.words", type: "2", linkName: "gone" }], []],
    ["replaced by a folder", [fileOf("a.words", "one"), { name: "a.words", type: "5" }], []],
    ["below what became a file", [fileOf("a/b.words", "one"), fileOf("a", "x")], []],
    [
      "a symbolic link",
      [fileOf("a.words", "one"), { name: "b.words", type: "2", linkName: "a.words" }],
      ["one 3 (words) a.words"],
    ],
    [
      "a hard link to one that passed unkept",
      [fileOf("store/1", "one"), { name: "b.words", type: "1", linkName: "store/1" }],
      ["one 3 (words) b.words"],
    ],
    ["a hard link to nothing", [{ name: "b.words", type: "1", linkName: "gone" }], []],
    ["empty", [fileOf("a.words", "")], [" 0 (words) a.words"]],
  ])("count for what they are at the end: %s", async (_, members, expected) => {
    expect((await index(members)).packages).toEqual(expected);
  });

  it.each<[string, OddMember[], string[], number]>([
    [
      "a file that was looked at",
      [fileOf("a.words", "one"), { name: "b.words", type: "1", linkName: "a.words" }],
      ["one 3 (words) a.words", "one 3 (words) b.words"],
      1,
    ],
    [
      "a file of a store that is addressed by content",
      [
        fileOf(`store/v10/files/0a/${"b".repeat(126)}`, '{"a": 1}'),
        { name: "b.words", type: "1", linkName: `store/v10/files/0a/${"b".repeat(126)}` },
      ],
      ['{"a": 8 (words) b.words'],
      1,
    ],
    [
      "a larger one",
      [fileOf("a.words", "x".repeat(70_000)), { name: "b.words", type: "1", linkName: "a.words" }],
      [`${"x".repeat(30)} 70000 (words) a.words`, `${"x".repeat(30)} 70000 (words) b.words`],
      2,
    ],
  ])("are read once where hard links lead to %s", async (_, members, expected, times) => {
    const archive = buildTar(...members);
    let opened = 0;
    const open = () => {
      opened++;
      return streamBytes(archive, 1000);
    };

    const { inspected } = await readLayer({
      open,
      reopens: true,
      expected: {},
      wants: () => false,
      fileDetectors: [words],
      decompressors: { gzip: createGunzip() },
      createHasher: pureHasher,
      limits: defaultLimits,
    });

    expect(inspected.words?.map((found) => found.kind === "package" && nameOf(found))).toEqual(expected);
    expect(opened).toBe(times);
  });

  it("are looked at once where a database is what links lead to", async () => {
    const wantsLinks: Detector = {
      name: "links",
      revision: 1,
      wants: ({ path }) => path === "b.words",
      detect: () => [],
    };
    const engine = createEngine({ ecosystems: [{ ...ecosystem, detectors: [wantsLinks] }] });
    const members = [fileOf("a.words", "one"), { name: "b.words", type: "2", linkName: "a.words" }];

    expect(listPackages(await indexLayers([members], engine))).toEqual(["one 3 (words) a.words"]);
  });

  it("are looked at below a link of the layer where they really are", async () => {
    const members = [{ name: "l", type: "2", linkName: "real" }, fileOf("l/a.words", "one")];

    expect((await index(members)).packages).toEqual(["one 3 (words) real/a.words"]);
  });

  it("may hold more findings than one call takes", async () => {
    const count = 150_000;
    const listing: FileDetector = {
      ...words,
      *detect({ path }) {
        const version = "1";
        for (let n = 0; n < count; n++)
          yield { kind: "package", packageDb: path, package: { name: `p${n}`, version, kind: "BINARY" } };
      },
    };
    const inspection = new FileInspection([listing], { ...defaultLimits, maxFindings: count });

    const path = "a.words";
    const info = { path, kind: "file", sizeBytes: 1, mode: 0o644 } as const;
    inspection.inspect(info, { path, contentPath: path, mode: 0o644, bytes: Uint8Array.of(120) });

    expect(inspection.findings(() => true).words).toHaveLength(count);
  });

  it("cost themselves where a detector fails", async () => {
    const { packages, problems } = await index([fileOf("a.words", "throw"), fileOf("b.words", "one")]);

    expect(packages).toEqual(["one 3 (words) b.words"]);
    expect(problems).toEqual(["detector_failed a.words: words: not read"]);
  });

  it("are a problem where they are too large", async () => {
    const { packages, problems } = await index([fileOf("a.words", "x".repeat(101))], { maxFileBytes: 100 });

    expect([packages, problems]).toEqual([[], [expect.stringContaining("memory_limit a.words")]]);
  });

  it("take no room of the files that are kept", async () => {
    const members = Array.from({ length: 20 }, (_, at) => fileOf(`${at}.words`, "x".repeat(1_000)));

    expect((await index(members, { maxKeptBytes: 5_000 })).packages).toHaveLength(20);
  });

  it("end the layer where they prove more than can be listed", async () => {
    const members = Array.from({ length: 4 }, (_, at) => fileOf(`${at}.words`, "x"));

    await expect(index(members, { maxFindings: 3 })).rejects.toMatchObject({ code: "entry_limit" });
    const inspection = new FileInspection([words], { ...defaultLimits, maxFindings: 3 });
    const show = (path: string) =>
      inspection.inspect(
        { path, kind: "file", sizeBytes: 1, mode: 0o644 },
        { path, contentPath: path, mode: 0o644, bytes: Uint8Array.of(120) },
      );
    expect(() => ["a.words", "b.words", "c.words", "d.words"].forEach(show)).toThrow(
      expect.objectContaining({ code: "entry_limit" }),
    );
  });

  describe("programs", () => {
    it("are shown whole to the detectors that want their mark", async () => {
      const { packages } = await index([
        fileOf("usr/bin/tool", goProgram(50_000)),
        fileOf("usr/bin/large", goProgram(scratchFromBytes + 77)),
        fileOf("usr/bin/small", goProgram(40_000)),
        fileOf("usr/bin/text", goProgram(50_000, "text")),
        fileOf("usr/bin/other", Buffer.concat([Buffer.from("\x7fELF", "latin1"), Buffer.alloc(60_000)])),
      ]);

      expect(packages).toEqual([
        `elf ${scratchFromBytes + 77} (words) usr/bin/large`,
        "elf 40000 (words) usr/bin/small",
        "elf 50000 (words) usr/bin/tool",
      ]);
    });

    it("share one place outside memory where they are large", async () => {
      const contents: Buffer[][] = [];
      const openScratch = () => ({ begin: () => bufferContent(contents), [Symbol.dispose]: () => {} });
      const sizes = [scratchFromBytes + 77, scratchFromBytes + 5];

      const report = await indexLayers(
        [sizes.map((size) => fileOf(`bin/${size}`, goProgram(size)))],
        createEngine({ ecosystems: [ecosystem] }),
        { openScratch },
      );

      expect(listPackages(report).toSorted()).toEqual(sizes.map((size) => `elf ${size} (words) bin/${size}`).sort());
      expect(contents).toHaveLength(1);
    });

    it("are looked at once where the detector wants the path as well", async () => {
      const { packages } = await index([fileOf("tool.words", goProgram(50_000))]);

      expect(packages).toEqual(["elf 50000 (words) tool.words"]);
    });

    it("are a problem where they are too large", async () => {
      const rust = Buffer.alloc(50_000);
      rust.write("\x7fELF", 0, "latin1");
      rust.write(".dep-v0\0", 30_000, "latin1");
      const members = [fileOf("tool", goProgram(50_000)), fileOf("of-rust", rust)];

      const { packages, problems } = await index(members, { maxFileBytes: 49_999 });

      expect([packages, problems]).toEqual([[], [expect.stringContaining("memory_limit tool")]]);
    });
  });

  it("are shown to no detector of another engine", async () => {
    expect((await indexLayers([[fileOf("a.words", "one")]], engineWith())).packages).toEqual({});
  });
});
