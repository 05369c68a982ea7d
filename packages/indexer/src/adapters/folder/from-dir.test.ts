import { execFileSync } from "node:child_process";
import { cp, link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defaultLimits, type Limits } from "@plimsoll/core";
import type { FileEntry, OpenSourceOptions } from "@plimsoll/core/internal";
import type { Detector, FileDetector } from "@plimsoll/core/plugins";
import { layerChecking } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderReaderFor, openScratch } from "../platform/node-readers.ts";
import { fromDir } from "./from-dir.ts";
import { readRoot } from "./read-root.ts";

/** A user without rights: root may read everything. */
const unprivilegedUser = 65_534;
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "root-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function put(path: string, content: string): Promise<void> {
  await mkdir(join(folder, dirname(path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

async function putLink(path: string, target: string): Promise<void> {
  await mkdir(join(folder, dirname(path)), { recursive: true });
  await symlink(target, join(folder, path));
}

/** Opens a root and says what the detectors were given. */
async function read(wants: (file: FileEntry) => boolean, opening: Partial<OpenSourceOptions> = {}) {
  const { limits = defaultLimits, signal } = opening;
  const detector: Detector = { name: "any", revision: 1, wants, detect: () => [] };
  const readFolder = folderReaderFor({ detectors: [detector], limits });
  await using opened = await fromDir(folder).open({ ...layerChecking(), readFolder, ...opening });
  const contents = await readRoot(folder, { wants, limits, signal });
  const [image] = opened.images;
  if (image === undefined) throw new Error("nothing was found");
  const texts = [...contents.files].map(([path, { contentPath, bytes }]) => [
    path,
    contentPath,
    new TextDecoder().decode(bytes),
  ]);
  return { image, contents, texts };
}

const wantsNamed =
  (...names: readonly string[]) =>
  ({ path }: FileEntry) =>
    names.some((name) => path.endsWith(name));

describe("fromDir", () => {
  it("gives evidence of packages that no detector reads", async () => {
    const program = Buffer.alloc(400_000);
    program.write("\x7fELF", 0, "latin1");
    program.write(".dep-v0\0", 300_000, "latin1");
    await put("usr/bin/tool", program.toString("latin1"));
    await put("app/node_modules/a/package.json", "{}");

    const { contents } = await read(() => false);

    expect(contents.evidence.map(({ packages, path }) => [packages, path])).toEqual([
      ["npm", "app/node_modules/a/package.json"],
      ["rust", "usr/bin/tool"],
    ]);
  });

  describe("with detectors of single files", () => {
    const firstBytes: FileDetector = {
      name: "first-bytes",
      revision: 1,
      programs: "rust",
      wants: ({ path }) => path.endsWith(".pkg"),
      *detect({ path, bytes }) {
        const name = new TextDecoder().decode(bytes.subarray(0, 4)).replace("\x7f", "");
        yield { kind: "package", packageDb: path, package: { name, version: String(bytes.length), kind: "BINARY" } };
      },
    };
    const readWith = async (limits: Partial<Limits> = {}) => {
      const { inspected, problems, files } = await readRoot(folder, {
        wants: () => false,
        fileDetectors: [firstBytes],
        limits: { ...defaultLimits, ...limits },
      });
      const found = (inspected["first-bytes"] ?? []).map((each) => (each.kind === "package" ? each.package : each));
      return { found, problems, kept: files.size };
    };

    it("shows them symbolic links", async () => {
      await putLink("a/current", "../b");
      const links: FileDetector = {
        ...firstBytes,
        *links({ path, target }) {
          yield { kind: "link", path, target };
        },
      };

      const { inspected } = await readRoot(folder, {
        wants: () => false,
        fileDetectors: [links],
        limits: defaultLimits,
      });

      expect(inspected).toEqual({ "first-bytes": [{ kind: "link", path: "a/current", target: "../b" }] });
    });

    it("shows them files that they want by the path of a link, and returns the links to folders", async () => {
      await put("store/1f", "abcdef");
      await put("store/b.pkg", "abcdef");
      await putLink("a.pkg", "store/1f");
      await putLink("b.pkg", "store/b.pkg");
      await putLink("s", "store");

      const { inspected, links } = await readRoot(folder, {
        wants: () => false,
        fileDetectors: [firstBytes],
        limits: defaultLimits,
      });

      expect(inspected["first-bytes"]).toMatchObject([{ packageDb: "a.pkg" }, { packageDb: "store/b.pkg" }]);
      expect([...links].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        { kind: "symlink", path: "a.pkg", target: "store/1f", read: { "a.pkg": "store/1f" } },
        { kind: "symlink", path: "s", target: "store" },
      ]);
    });

    it("shows them the files that they want, and programs with their mark, and keeps neither", async () => {
      const program = Buffer.alloc(50_000);
      program.write("\x7fELF", 0, "latin1");
      program.write(".dep-v0\0", 40_000, "latin1");
      await put("usr/bin/tool", program.toString("latin1"));
      await put("a.pkg", "abcdef");
      await put("b.other", "x");

      expect(await readWith()).toEqual({
        found: [
          { name: "abcd", version: "6", kind: "BINARY" },
          { name: "ELF", version: "50000", kind: "BINARY" },
        ],
        problems: [],
        kept: 0,
      });
    });

    it("makes a problem of one that is too large, and tells roots with other contents apart", async () => {
      await put("a.pkg", "abcdef");
      const digestNow = async () => {
        const readFolder = folderReaderFor({ detectors: [], fileDetectors: [firstBytes], limits: defaultLimits });
        await using opened = await fromDir(folder).open({ ...layerChecking(), readFolder });
        return opened.images[0]?.manifestDigest;
      };
      const before = await digestNow();
      await put("a.pkg", "abcd-longer");

      expect(await digestNow()).not.toBe(before);
      expect(await readWith({ maxFileBytes: 10 })).toMatchObject({ found: [], problems: [{ code: "memory_limit" }] });
    });
  });

  it("gives the wanted files in path order, and the shape of the whole", async () => {
    await put("usr/lib/os-release", "ID=x");
    await put("etc/passwd", "secret");
    await put("bin/os-release", "other");

    const { image, contents, texts } = await read(wantsNamed("os-release"));

    expect(texts).toEqual([
      ["bin/os-release", "bin/os-release", "other"],
      ["usr/lib/os-release", "usr/lib/os-release", "ID=x"],
    ]);
    expect(contents.shape.leaves.has("etc/passwd")).toBe(true);
    expect(contents.shape.folders.has("usr/lib")).toBe(true);
    expect(image).toMatchObject({ reference: folder, layers: [{ kind: "read", digest: image.manifestDigest }] });
  });

  it("resolves links inside the root, and none to the outside", async () => {
    await put("usr/lib/os-release", "ID=x");
    await putLink("etc/os-release", "../usr/lib/os-release");
    await putLink("absolute/os-release", "/etc/os-release");
    await putLink("up/os-release", "../../../../../../../../usr/lib/os-release");
    await putLink("lib", "usr/lib");
    await putLink("through/os-release", "../lib/os-release");
    await putLink("out/os-release", "/etc/hostname");
    await putLink("folder/os-release", "/usr");
    await putLink("loop/os-release", "os-release");

    const { contents, texts } = await read(wantsNamed("os-release"));

    expect(texts.map(([path, contentPath]) => [path, contentPath])).toEqual([
      ["absolute/os-release", "usr/lib/os-release"],
      ["etc/os-release", "usr/lib/os-release"],
      ["through/os-release", "usr/lib/os-release"],
      ["up/os-release", "usr/lib/os-release"],
      ["usr/lib/os-release", "usr/lib/os-release"],
    ]);
    expect(contents.problems).toMatchObject([{ path: "loop/os-release" }]);
  });

  it("reads hard links as files, leaves pipes and the kernel's folders alone", async () => {
    await put("a/status", "x");
    await link(join(folder, "a/status"), join(folder, "b-status"));
    await put("proc/status", "not this one");
    await put("usr/proc/status", "y");
    execFileSync("mkfifo", [join(folder, "pipe-status")]);

    const { texts } = await read(wantsNamed("status"));

    expect(texts.map(([path]) => path)).toEqual(["a/status", "b-status", "usr/proc/status"]);
  });

  it("identifies a root by its wanted files, wherever it is", async () => {
    await put("etc/os-release", "ID=x");
    await put("other", "1");
    const first = await read(wantsNamed("os-release"));
    await put("other", "2");
    await cp(folder, `${folder}-copy`, { recursive: true });
    const original = folder;
    folder = `${original}-copy`;
    const copy = await read(wantsNamed("os-release"));
    await put("etc/os-release", "ID=y");
    const changed = await read(wantsNamed("os-release"));
    await rm(original, { recursive: true });

    expect(copy.image.manifestDigest).toBe(first.image.manifestDigest);
    expect(changed.image.manifestDigest).not.toBe(first.image.manifestDigest);
  });

  it("makes a problem of a file that is too large, and stops when all together are", async () => {
    await put("one/status", "x".repeat(100));
    await put("two/status", "y");
    const limits = (changed: object) => ({ limits: { ...layerChecking().limits, ...changed } });

    const { contents, texts } = await read(wantsNamed("status"), limits({ maxFileBytes: 99 }));

    expect(texts.map(([path]) => path)).toEqual(["two/status"]);
    expect(contents.problems).toMatchObject([{ path: "one/status", code: "memory_limit" }]);
    await expect(read(wantsNamed("status"), limits({ maxKeptBytes: 100 }))).rejects.toMatchObject({
      code: "memory_limit",
    });
    await expect(read(wantsNamed("status"), limits({ maxEntries: 3 }))).rejects.toMatchObject({ code: "entry_limit" });
  });

  it("reads an empty root", async () => {
    expect((await read(() => true)).texts).toEqual([]);
  });

  it("stops when its signal does", async () => {
    await expect(read(() => true, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });

  it("wants a folder", async () => {
    await put("file", "");
    await expect(fromDir(join(folder, "none")).open(layerChecking())).rejects.toMatchObject({ code: "not_found" });
    await expect(fromDir(join(folder, "file")).open(layerChecking())).rejects.toMatchObject({
      code: "unsupported_source",
    });
  });

  it("makes problems of what it may not read", async () => {
    await put("closed/status", "x");
    await put("status", "x");
    execFileSync("chmod", ["000", join(folder, "status"), join(folder, "closed")]);
    execFileSync("chmod", ["755", folder]);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(unprivilegedUser);
    const { contents } = await read(wantsNamed("status")).finally(() => isRoot && process.seteuid?.(0));
    execFileSync("chmod", ["-R", "u+rwX", folder]);
    expect(contents.problems.map(({ path }) => path)).toEqual(["closed", "status"]);
  });

  it("reads only the wanted parts of a large file that is inspected", async () => {
    await put("large.bin", "first");
    await truncate(join(folder, "large.bin"), 33 * 1024 ** 2);
    const seen: string[] = [];
    const detector: FileDetector = {
      name: "large",
      revision: 1,
      wants: wantsNamed("large.bin"),
      detect({ parts }) {
        seen.push(`${new TextDecoder().decode(parts?.subarray(0, 5))} ${parts?.length} ${parts instanceof Uint8Array}`);
        return [];
      },
    };

    await readRoot(folder, { wants: () => false, fileDetectors: [detector], limits: defaultLimits });

    expect(seen).toEqual([`first ${33 * 1024 ** 2} false`]);
  });

  it("keeps a large file that detectors need outside memory, or in it where there is no room", async () => {
    await put("var/lib/rpm/Packages", "first");
    await truncate(join(folder, "var/lib/rpm/Packages"), 33 * 1024 ** 2);
    const wants = wantsNamed("Packages");
    const partsOf = async (options: object) => {
      const { files } = await readRoot(folder, { wants, limits: defaultLimits, ...options });
      return [...files.values()].map(({ path, parts }) => {
        return [path, new TextDecoder().decode(parts.subarray(0, 5)), parts.length, parts instanceof Uint8Array];
      });
    };
    using scratch = openScratch();

    const kept = await Promise.all([partsOf({ scratch }), partsOf({ scratch: { begin: () => undefined } })]);

    const whole = ["var/lib/rpm/Packages", "first", 33 * 1024 ** 2];
    expect(kept).toEqual([[[...whole, false]], [[...whole, true]]]);
  });
});
