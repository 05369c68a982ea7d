import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { buildTar, concatBytes, type OddMember, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { Bytes } from "../bytes/bytes.ts";
import { defaultLimits, type Limits } from "../bytes/limits.ts";
import { allEvidenceRules } from "../ecosystems/all-evidence.ts";
import { createGunzip } from "../inflate/gunzip.ts";
import { type Digest, parseDigest } from "../model/digest.ts";
import type { FileDetector, FileEntry } from "../plugins/detector.ts";
import type { CreateHasher } from "../ports.ts";
import type { LayerContents, ReadLayerOptions } from "./layer-contents.ts";
import { buildPathSet } from "./path-set.ts";
import { readLayer } from "./read-layer.ts";

const gzip = createGunzip();
const createHasher: CreateHasher = (algorithm) => {
  const hash = createHash(algorithm);
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") };
};

function digestOf(bytes: Uint8Array, algorithm = "sha256"): Digest {
  return parseDigest(`${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`);
}

function stream(bytes: Uint8Array): Bytes {
  return streamBytes(bytes, 1000);
}

type Options = Partial<Omit<ReadLayerOptions, "limits">> & { readonly limits?: Partial<Limits> };

function read(bytes: Uint8Array, { limits, ...options }: Options = {}): Promise<LayerContents> {
  return readLayer({
    open: () => stream(bytes),
    reopens: true,
    expected: {},
    wants: () => true,
    decompressors: { gzip },
    createHasher,
    evidence: allEvidenceRules,
    limits: { ...defaultLimits, ...limits },
    ...options,
  });
}

function textsOf(contents: LayerContents): Record<string, string> {
  const text = new TextDecoder();
  return Object.fromEntries([...contents.files].map(([path, file]) => [path, text.decode(file.bytes)]));
}

const file = (name: string, content = name): OddMember => ({ name, content });
const link = (name: string, linkName: string): OddMember => ({ name, type: "2", linkName });
const hardLink = (name: string, linkName: string): OddMember => ({ name, type: "1", linkName });
const folder = (name: string): OddMember => ({ name, type: "5" });
const named =
  (...paths: string[]) =>
  ({ path }: FileEntry): boolean =>
    paths.includes(path);

const ordinary = buildTar(folder("./"), folder("./etc/"), file("./etc/b", "B"), file("./etc/a", "A"));

describe("readLayer", () => {
  describe("evidence of packages that no detector reads", () => {
    const goProgram = Buffer.alloc(40_000);
    goProgram.write("\x7fELF", 0, "latin1");
    goProgram.write("\xff Go buildinf:", 32_000, "latin1");
    const program = goProgram.toString("latin1");
    const seen = ({ evidence }: LayerContents) =>
      evidence.map(({ packages, path, pieces }) => [packages, path, pieces]);

    it("is found by path and in executables, without keeping content", async () => {
      const archive = buildTar(
        file("./app/b.jar"),
        file("./app/a.jar"),
        { name: "usr/bin/tool", content: goProgram },
        file("after"),
        { name: "usr/bin/text", content: program.replace("\x7fELF", "text") },
        link("app/c.jar", "b.jar"),
        folder("app/folder.jar"),
      );

      const contents = await read(gzipSync(archive), { wants: named("after") });

      expect(seen(contents)).toEqual([
        ["java", "app/a.jar", 1],
        ["java", "app/b.jar", 1],
        ["go", "usr/bin/tool", 1],
      ]);
      expect(textsOf(contents)).toEqual({ after: "after" });
    });

    const lengthReader: FileDetector = {
      name: "lengths",
      revision: 1,
      wants: ({ path }) => path === "large",
      programs: "go",
      *detect({ path, bytes }) {
        yield { kind: "problem", path, code: "lengths", message: createHash("sha256").update(bytes).digest("hex") };
      },
    };
    const large = Buffer.alloc(32 * 1024 ** 2, "large");
    const programs = buildTar(
      file("etc/a"),
      { name: "usr/bin/tool", content: goProgram },
      { name: "opt/other", content: Buffer.concat([goProgram, Buffer.from("other")]) },
      { name: "large", content: large },
    );

    it.each([
      ["not compressed", programs, 3],
      ["compressed", gzipSync(programs), 0],
    ])("is in programs that are read where the layer has them, if it is %s", async (_, layer, count) => {
      const places = new Set<number>();
      const parts = {
        length: layer.length,
        subarray(start: number, end: number) {
          if (end - start > 512) places.add(start);
          return layer.subarray(start, end);
        },
      };
      const options = { wants: () => false, fileDetectors: [lengthReader] };

      const contents = await read(layer, { ...options, parts });

      expect(contents.inspected).toEqual((await read(layer, options)).inspected);
      expect(contents.inspected.lengths?.length).toBe(3);
      expect(places.size).toBe(count);
    });

    it("is that of the finished layer", async () => {
      const archive = buildTar(
        file("a.jar"),
        folder("a.jar"),
        file("b/c.jar"),
        file("b"),
        file("d.jar"),
        file("d.jar"),
      );

      expect(seen(await read(archive))).toEqual([["java", "d.jar", 1]]);
    });

    it("has the path where a file really lies", async () => {
      const archive = buildTar(folder("usr/lib"), link("lib", "usr/lib"), file("lib/x.jar"));

      expect(seen(await read(archive))).toEqual([["java", "usr/lib/x.jar", 1]]);
    });

    it("lists a thousand paths of a kind and counts the others", async () => {
      const jars = Array.from({ length: 1200 }, (_, index) => file(`${10_000 + index}.jar`, ""));

      const { evidence } = await read(buildTar(...jars, file("app/yarn.lock")));

      expect(evidence.length).toBe(1001);
      expect(evidence.at(999)).toEqual({ kind: "evidence", path: "10999.jar", packages: "java", pieces: 201 });
      expect(evidence.at(1000)).toMatchObject({ path: "app/yarn.lock", pieces: 1 });
    });

    it("counts each path of the Nix store once", async () => {
      const archive = buildTar(
        file("nix/store/a-glibc/lib/libc.so"),
        file("nix/store/a-glibc/lib/libm.so"),
        file("nix/store/b-app/app.jar"),
        file("nix/store/a-glibc/share/x"),
        file("nix/store/.links/0"),
      );

      expect(seen(await read(archive))).toEqual([
        ["java", "nix/store/b-app/app.jar", 1],
        ["nix", "nix/store/a-glibc/lib/libc.so", 1],
        ["nix", "nix/store/b-app/app.jar", 1],
      ]);
    });
  });

  it.each([
    ["plain", ordinary],
    ["gzip", gzipSync(ordinary)],
    ["gzip of two members", concatBytes([gzipSync(ordinary.subarray(0, 700)), gzipSync(ordinary.subarray(700))])],
    ["with something behind the archive", concatBytes([ordinary, new Uint8Array(5000).fill(1)])],
  ])("keeps the wanted files of a %s layer in path order", async (_, bytes) => {
    const expected = { digest: digestOf(bytes), sizeBytes: bytes.length };

    const contents = await read(bytes, { expected });

    expect([...contents.files.keys()]).toEqual(["etc/a", "etc/b"]);
    expect(textsOf(contents)).toEqual({ "etc/a": "A", "etc/b": "B" });
    expect(contents).toMatchObject({ entries: 4, sizeBytes: bytes.length, problems: [] });
    expect(contents.uncompressedBytes).toBeGreaterThanOrEqual(ordinary.length);
  });

  it("reads no bytes as an empty layer", async () => {
    expect(await read(new Uint8Array(0))).toMatchObject({ entries: 0, sizeBytes: 0, uncompressedBytes: 0 });
  });

  it("passes the facts of the archive to wants", async () => {
    const asked: FileEntry[] = [];
    const archive = buildTar(
      folder("d/"),
      { ...file("d/f", "abc"), mode: 0o755 },
      link("s", "d/f"),
      hardLink("h", "d/f"),
    );

    await read(archive, {
      wants(info) {
        asked.push(info);
        return false;
      },
    });

    expect(asked).toEqual([
      { path: "d/f", kind: "file", sizeBytes: 3, mode: 0o755 },
      { path: "s", kind: "symbolic-link", sizeBytes: 0, mode: 0o644 },
      { path: "h", kind: "hard-link", sizeBytes: 0, mode: 0o644 },
    ]);
  });

  describe("paths", () => {
    const cases: readonly [string, readonly OddMember[], Record<string, string>][] = [
      ["takes the last of several entries", [file("a", "1"), file("./a", "2")], { a: "2" }],
      ["drops slashes in front", [file("/etc/x", "x")], { "etc/x": "x" }],
      ["drops a file that a folder replaced", [file("a"), folder("a/")], {}],
      ["drops a file that a link replaced", [file("a"), link("a", "nowhere")], {}],
      ["drops files below a folder that a file replaced", [file("a/b"), file("a", "now a file")], { a: "now a file" }],
      ["drops a file that became a folder", [file("a"), file("a/b")], { "a/b": "a/b" }],
      ["writes through a linked folder", [link("lib", "usr/lib"), file("lib/x")], { "usr/lib/x": "lib/x" }],
      ["writes through a linked folder that climbs", [link("lib", "../../usr"), file("lib/x")], { "usr/x": "lib/x" }],
      ["writes beside a link that a folder replaced", [link("l", "m"), folder("l/"), file("l/x")], { "l/x": "l/x" }],
      [
        "takes what is written through a link last",
        [link("l", "d"), file("d/x", "1"), file("l/x", "2")],
        { "d/x": "2" },
      ],
    ];

    it.each(cases)("%s", async (_, members, expected) => {
      expect(textsOf(await read(buildTar(...members)))).toEqual(expected);
    });

    it("skips an entry outside the root and reports a problem", async () => {
      const contents = await read(buildTar(file("../../etc/passwd"), file("ok")));

      expect([...contents.files.keys()]).toEqual(["ok"]);
      expect(contents.problems).toMatchObject([{ path: "../../etc/passwd", code: "malformed_archive" }]);
    });

    it("skips an entry below a loop of links and reports a problem", async () => {
      const contents = await read(buildTar(link("a", "b"), link("b", "a"), file("a/x")), { wants: named("a/x") });

      expect(contents).toMatchObject({ files: new Map(), problems: [{ path: "a/x", code: "malformed_archive" }] });
    });

    it("gives a file that is wanted under the name it was written with", async () => {
      const contents = await read(buildTar(link("lib", "usr/lib"), file("lib/db")), { wants: named("lib/db") });

      expect([...contents.files.values()]).toMatchObject([{ path: "lib/db", contentPath: "usr/lib/db" }]);
    });

    it("counts problems that are too many to list", async () => {
      const members = Array.from({ length: 1500 }, (_, index) => file(`../${index}`, ""));

      const { problems } = await read(buildTar(...members));

      expect(problems).toHaveLength(1001);
      expect(problems.at(-1)?.message).toMatch(/500 more/);
    });
  });

  describe("links", () => {
    const target = file("usr/lib/os-release", "ID=x");
    const cases: readonly [string, readonly OddMember[], Record<string, string>][] = [
      ["a symbolic link", [target, link("l", "usr/lib/os-release")], { l: "ID=x" }],
      ["a relative link", [link("etc/l", "../usr/lib/os-release"), target], { "etc/l": "ID=x" }],
      ["an absolute link", [link("etc/l", "/usr/lib/os-release"), target], { "etc/l": "ID=x" }],
      ["a link that climbs over the root", [link("l", "../../usr/lib/os-release"), target], { l: "ID=x" }],
      ["a link through a linked folder", [link("lib", "usr/lib"), link("l", "lib/os-release"), target], { l: "ID=x" }],
      ["a hard link", [target, hardLink("l", "./usr/lib/os-release")], { l: "ID=x" }],
      ["a hard link before its target", [hardLink("l", "usr/lib/os-release"), target], { l: "ID=x" }],
      ["a hard link to a link", [link("s", "usr/lib/os-release"), hardLink("l", "s"), target], { l: "ID=x" }],
      ["a link to a hard link", [hardLink("h", "usr/lib/os-release"), link("l", "h"), target], { l: "ID=x" }],
      ["a link to a file that was replaced", [file("x", "old"), link("l", "x"), file("x", "new")], { l: "new" }],
      ["a dangling link", [link("l", "nowhere")], {}],
      ["a dangling hard link", [hardLink("l", "nowhere")], {}],
      ["a link to a folder", [folder("d"), link("l", "d")], {}],
      ["a link to a file that is gone", [file("d/x"), link("l", "d/x"), file("d", "no folder")], {}],
    ];

    it.each(cases)("reads %s, whether or not its target is wanted", async (_, members, expected) => {
      const wanted = Object.keys(expected)[0] ?? "l";
      const targets = named(wanted, "usr/lib/os-release", "x", "d/x");

      for (const wants of [named(wanted), targets]) {
        const contents = await read(buildTar(...members), { wants });

        expect(textsOf(contents)).toMatchObject(expected);
        expect(contents.files.has(wanted)).toBe(Object.keys(expected).length > 0);
        expect(contents.problems).toEqual([]);
      }
    });

    it("says where the content of a link stands", async () => {
      const contents = await read(buildTar(target, link("l", "usr/lib/os-release")), { wants: named("l") });

      expect(contents.files.get("l")).toMatchObject({ path: "l", contentPath: "usr/lib/os-release" });
    });

    const bad: readonly [string, readonly OddMember[], string, RegExp][] = [
      ["a loop", [link("l", "m"), link("m", "l")], "malformed_archive", /loop/],
      ["a hard link to itself", [hardLink("l", "l")], "malformed_archive", /loop/],
      ["a hard link out of the root", [hardLink("l", "../l")], "malformed_archive", /out of the root/],
    ];

    it.each(bad)("makes %s a problem when it is wanted, and only then", async (_, members, code, message) => {
      const archive = buildTar(...members);

      expect((await read(archive, { wants: named("l") })).problems).toMatchObject([
        { path: "l", code, message: expect.stringMatching(message) },
      ]);
      expect((await read(archive, { wants: () => false })).problems).toEqual([]);
    });

    it("opens the source a second time only when it must", async () => {
      let opened = 0;
      const archive = buildTar(target, link("l", "usr/lib/os-release"));
      const open = (): Bytes => {
        opened++;
        return stream(archive);
      };

      await read(archive, { open, wants: named("l", "usr/lib/os-release") });
      expect(opened).toBe(1);
      await read(archive, { open, wants: named("l") });
      expect(opened).toBe(3);
    });

    it.each([
      ["an uncompressed layer", (tar: Uint8Array) => tar, 1],
      ["a compressed layer", (tar: Uint8Array) => gzipSync(tar), 2],
    ])("hashes each byte of %s once", async (_, compressed, hashers) => {
      const [diffId, bytes] = [digestOf(ordinary), compressed(ordinary)];
      let made = 0;
      const counted: CreateHasher = (algorithm) => {
        made++;
        return createHasher(algorithm);
      };

      await read(bytes, { expected: { digest: digestOf(bytes), diffId }, createHasher: counted });
      const wrong = read(bytes, { expected: { digest: digestOf(bytes), diffId: digestOf(new Uint8Array()) } });

      expect(made).toBe(hashers);
      await expect(wrong).rejects.toMatchObject({ code: "digest_mismatch" });
    });

    it("makes it a problem when the source does not open again", async () => {
      const archive = buildTar(target, link("l", "usr/lib/os-release"));

      const contents = await read(archive, { wants: named("l"), reopens: false });

      expect(contents).toMatchObject({ files: new Map(), problems: [{ path: "l", code: "not_found" }] });
    });

    it("checks digests in the second pass too", async () => {
      const archive = buildTar(target, link("l", "usr/lib/os-release"));
      const other = buildTar(file("usr/lib/os-release", "ID=forged"), link("l", "usr/lib/os-release"));
      const sources = [archive, other];
      const open = (): Bytes => stream(sources.shift() ?? archive);

      const reading = read(archive, { open, wants: named("l"), expected: { digest: digestOf(archive) } });

      await expect(reading).rejects.toMatchObject({ code: "digest_mismatch" });
    });
  });

  describe("shape", () => {
    it("holds whiteouts, files and folders, those not listed included", async () => {
      const archive = buildTar(
        folder("etc/"),
        file("etc/.wh.gone", ""),
        file("opt/x/.wh..wh..opq", ""),
        file("usr/bin/which"),
        link("lib", "usr/lib"),
        file("lib/.wh.old", ""),
        { name: "dev/null", type: "3" },
      );

      const { shape, entries } = await read(archive);

      expect(shape.removed.hashes).toEqual(buildPathSet(["etc/gone", "usr/lib/old"]).hashes);
      expect(shape.opaque.hashes).toEqual(buildPathSet(["opt/x"]).hashes);
      expect(["usr/bin/which", "lib", "dev/null"].every((path) => shape.leaves.has(path))).toBe(true);
      expect(["etc", "usr", "usr/bin", "dev"].every((path) => shape.folders.has(path))).toBe(true);
      expect(["etc", "usr", "usr/bin", "dev"].some((path) => shape.leaves.has(path))).toBe(false);
      expect(["usr/bin/which", "lib", "dev/null"].some((path) => shape.folders.has(path))).toBe(false);
      expect(["etc/.wh.gone", "etc/gone"].some((path) => shape.leaves.has(path))).toBe(false);
      expect(entries).toBe(7);
    });
  });

  it("tells a folder that is empty from a file", async () => {
    const { shape } = await read(buildTar(folder("empty/"), folder("was/"), file("was"), file("is"), folder("is/")));

    expect(shape.folders.hashes).toEqual(buildPathSet(["empty", "is"]).hashes);
    expect(shape.leaves.hashes).toEqual(buildPathSet(["was"]).hashes);
  });

  describe("promises", () => {
    const bytes = gzipSync(ordinary);
    const good = { digest: digestOf(bytes), sizeBytes: bytes.length, diffId: digestOf(ordinary) };
    const other = digestOf(new Uint8Array(1));

    it("accepts a layer with the expected digests, sha512 included", async () => {
      await read(bytes, { expected: good });
      await read(bytes, { expected: { digest: digestOf(bytes, "sha512"), diffId: digestOf(ordinary, "sha512") } });
    });

    const cut = bytes.subarray(0, 60);
    const flipped = new Uint8Array(bytes).fill(0, 60, 61);
    const cases: readonly [string, Uint8Array, ReadLayerOptions["expected"], string, string][] = [
      ["another digest", bytes, { ...good, digest: other }, "digest_mismatch", other],
      ["another diff id", bytes, { ...good, diffId: other }, "digest_mismatch", other],
      ["fewer bytes", cut, good, "size_mismatch", good.digest],
      ["more bytes", concatBytes([bytes, new Uint8Array(1)]), good, "size_mismatch", good.digest],
      ["damaged bytes", flipped, good, "digest_mismatch", good.digest],
      ["damaged bytes without a digest", flipped, {}, "layer_corrupt", "DEFLATE"],
      ["cut bytes without a size", cut, {}, "layer_truncated", "DEFLATE"],
    ];

    it.each(cases)("refuses %s", async (_, given, expected, code, naming) => {
      const reading = read(given, { expected });

      await expect(reading).rejects.toMatchObject({ code, message: expect.stringContaining(naming) });
    });

    it.each([
      ["the CRC-32", {}],
      ["the diff id alone", { diffId: good.diffId }],
    ])("finds every damage to the content by %s", async (_, expected) => {
      const stored = gzipSync(ordinary, { level: 0 }); // nothing but the check would notice
      const headers = 10 + 5;
      for (let at = headers; at < headers + ordinary.length; at += 37) {
        const damaged = new Uint8Array(stored).fill((stored[at] ?? 0) ^ 1, at, at + 1);

        await expect(read(damaged, { expected }), `byte ${at}`).rejects.toMatchObject({
          code: expect.stringMatching(/^(digest_mismatch|layer_corrupt|malformed_archive)$/),
        });
      }
    });

    it("stops reading an endless source at the promised size", async () => {
      let chunks = 0;
      let isOpen = true;
      async function* endless(): Bytes {
        try {
          for (yield ordinary; ; chunks++) yield new Uint8Array(1024);
        } finally {
          isOpen = false;
        }
      }

      const reading = read(ordinary, { open: endless, expected: { sizeBytes: ordinary.length + 5000 } });

      await expect(reading).rejects.toMatchObject({ code: "size_mismatch" });
      expect([chunks, isOpen]).toEqual([4, false]);
    });

    it("passes errors of the source on", async () => {
      const broken = (): Bytes => ({
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("connection reset")) }),
      });

      await expect(read(ordinary, { open: broken })).rejects.toThrow("connection reset");
    });

    it("does not read on in a damaged blob of unknown size", async () => {
      let chunks = 0;
      async function* endless(): Bytes {
        for (yield new Uint8Array(512).fill(7); ; chunks++) yield new Uint8Array(512);
      }

      await expect(read(ordinary, { open: endless })).rejects.toMatchObject({ code: "malformed_archive" });
      expect(chunks).toBe(0);
    });

    it("gives up between two parts of what one chunk decompresses to", async () => {
      const controller = new AbortController();
      async function* decompress(): Bytes {
        yield ordinary;
        controller.abort();
        yield ordinary;
      }
      const decompressors = { gzip: decompress };

      const reading = read(gzipSync(ordinary), { decompressors, signal: controller.signal });

      await expect(reading).rejects.toMatchObject({ code: "aborted" });
    });

    it("stops when its signal is aborted", async () => {
      const controller = new AbortController();
      async function* source(): Bytes {
        yield* stream(ordinary);
        controller.abort("enough");
        yield new Uint8Array(1024);
      }

      const reading = read(ordinary, { open: source, signal: controller.signal });

      await expect(reading).rejects.toMatchObject({ code: "aborted", cause: "enough" });
    });
  });

  describe("limits", () => {
    const zeros = { name: "zeros", content: new Uint8Array(1024 ** 2) };
    const cases: readonly [string, Partial<Limits>, string, RegExp][] = [
      ["uncompressed bytes", { maxLayerBytes: 500_000 }, "layer_too_large", /maxLayerBytes/],
      ["the ratio", { maxRatio: 100, ratioFromBytes: 100_000 }, "layer_ratio", /maxRatio/],
      ["entries", { maxEntries: 1 }, "entry_limit", /more than 1/],
      ["kept bytes", { maxKeptBytes: 500_000 }, "memory_limit", /maxKeptBytes/],
      ["the length of paths", { maxPathBytes: 4 }, "malformed_archive", /maxPathBytes/],
    ];

    it.each(cases)("keeps the limit on %s", async (_, limits, code, message) => {
      const reading = read(gzipSync(buildTar(zeros, file("f"))), { limits });

      await expect(reading).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    });

    it("leaves the ratio alone in small layers", async () => {
      await read(gzipSync(buildTar(zeros)), { limits: { maxRatio: 2, ratioFromBytes: 10_000_000 } });
    });

    it("makes a wanted file that is too large a problem", async () => {
      const contents = await read(buildTar(zeros, file("f")), { limits: { maxFileBytes: 1000 } });

      expect([...contents.files.keys()]).toEqual(["f"]);
      expect(contents.problems).toMatchObject([{ path: "zeros", code: "memory_limit" }]);
    });

    it("refuses a compression it has no decompressor for", async () => {
      const zstd = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);

      await expect(read(zstd)).rejects.toMatchObject({ code: "unsupported_compression", message: /zstd/ });
    });
  });
});
