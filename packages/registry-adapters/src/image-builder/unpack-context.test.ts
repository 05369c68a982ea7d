import { mkdtemp, readdir, readFile, readlink, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { makeZip, packTree, streamBytes, type Tree } from "@plimsoll/testing";
import { pack } from "tar-stream";
import { describe, expect, it } from "vitest";
import { unpackContext } from "./unpack-context.ts";

const { signal } = new AbortController();
const limits = { maxEntries: 20, maxArchiveBytes: 100_000, maxBytes: 1000 };

/** A folder for a test, with a file beside it that no archive may reach. */
async function openFolder() {
  const parent = await mkdtemp(join(tmpdir(), "plimsoll-unpack-"));
  const folder = await mkdtemp(join(parent, "archive-"));
  return { parent, folder, [Symbol.asyncDispose]: () => rm(parent, { recursive: true }) };
}

/** Entries that an object cannot express: two of the same name, or devices. */
async function packEntries(
  ...entries: readonly { readonly name: string; readonly type?: "file"; readonly device?: true }[]
) {
  const archive = pack();
  for (const { name, device } of entries)
    archive.entry({ name, type: device ? "character-device" : "file" }, device ? "" : "x");
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return Uint8Array.from(Buffer.concat(chunks));
}

describe("unpackContext", () => {
  it.each([
    ["plain", (bytes: Uint8Array) => bytes],
    ["gzip", (bytes: Uint8Array) => Uint8Array.from(gzipSync(bytes))],
  ])("unpacks files, folders and links of a %s archive", async (_, compress) => {
    await using place = await openFolder();
    const { folder } = place;
    const tree: Tree = {
      "./Dockerfile": "FROM scratch",
      "a/b/run.sh": { content: "#!", mode: 0o755 },
      "a/link": { symbolicLink: "../Dockerfile" },
      "a/b/up": { symbolicLink: "../../empty" },
      same: { hardLink: "Dockerfile" },
      "empty/": { folder: true },
      none: "",
    };

    await unpackContext(streamBytes(compress(await packTree(tree))), folder, { signal, limits });

    expect((await readdir(folder, { recursive: true })).sort()).toEqual(
      ["Dockerfile", "a", "a/b", "a/b/run.sh", "a/b/up", "a/link", "empty", "none", "same"].sort(),
    );
    expect(await readFile(join(folder, "a/link"), "utf8")).toBe("FROM scratch");
    expect(await readlink(join(folder, "a/b/up"))).toBe("../../empty");
    expect((await stat(join(folder, "a/b/run.sh"))).mode & 0o777).toBe(0o755);
  });

  it.each(["stored", "deflated"] as const)("unpacks files, folders and links of a zip archive, %s", async (method) => {
    await using place = await openFolder();
    const { folder } = place;
    const files = { Dockerfile: "FROM scratch", "a/b/run.sh": "#!", "a/link": "../Dockerfile", "empty/": "", none: "" };
    const modes = { "a/b/run.sh": 0o100755, "a/link": 0o120777 };

    await unpackContext(streamBytes(makeZip(files, { method, modes })), folder, { signal, limits });

    expect((await readdir(folder, { recursive: true })).sort()).toEqual(
      ["Dockerfile", "a", "a/b", "a/b/run.sh", "a/link", "empty", "none"].sort(),
    );
    expect(await readFile(join(folder, "a/link"), "utf8")).toBe("FROM scratch");
    expect((await stat(join(folder, "a/b/run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readdir(place.parent)).toHaveLength(1);
  });

  const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, ""]));
  it.each<[string, Tree, RegExp]>([
    ["a path that climbs out", { "../evil": "x" }, /leads out of it: "\.\.\/evil"/],
    ["a path that climbs out in its middle", { "a/../../evil": "x" }, /leads out/],
    ["a link to the root", { l: { symbolicLink: "/etc" } }, /leads out of it: "l" to "\/etc"/],
    ["a link that climbs out", { "a/l": { symbolicLink: "../../x" } }, /leads out/],
    ["a link through a link", { "a/d": { symbolicLink: ".." }, "a/l": { symbolicLink: "d/../x" } }, /leads out/],
    ["a file through a link", { l: { symbolicLink: "." }, "l/evil": "x" }, /below a path that is not a folder/],
    ["a file beneath a file", { f: "x", "f/g": "x" }, /below a path that is not a folder/],
    ["a hard link to the outside", { h: { hardLink: "../../etc/passwd" } }, /leads out/],
    ["a hard link to a link", { l: { symbolicLink: "x" }, h: { hardLink: "l" } }, /not an earlier file/],
    ["more bytes than permitted", { f: "x".repeat(1001) }, /more than 1000 bytes/],
    ["more entries than permitted", many, /more than 20/],
    ["more folders than permitted", { [`${"d/".repeat(30)}f`]: "" }, /more than 20 files, folders and links/],
  ])("refuses %s", async (_, tree, message) => {
    await using place = await openFolder();

    const unpacking = unpackContext(streamBytes(await packTree(tree)), place.folder, { signal, limits });

    await expect(unpacking).rejects.toThrow(message);
    await expect(unpacking).rejects.toMatchObject({ name: "BuildError" });
    expect(await readdir(place.parent)).toHaveLength(1);
  });

  it("keeps the later of two files of one name", async () => {
    await using place = await openFolder();

    await unpackContext(streamBytes(await packEntries({ name: "f" }, { name: "f" })), place.folder, { signal, limits });

    expect(await readFile(join(place.folder, "f"), "utf8")).toBe("x");
  });

  it.each<[string, () => Promise<Uint8Array> | Uint8Array, RegExp]>([
    ["a device", () => packEntries({ name: "null", device: true }), /has a device: "null"/],
    ["a folder where a file is", () => packEntries({ name: "a/b" }, { name: "a" }), /a folder and a file of one name/],
    ["the beginning of a zip archive", () => new TextEncoder().encode("PK\x03\x04"), /expected a zip archive/],
    ["a zip archive that leads out", () => makeZip({ "../f": "x" }), /lead/],
    ["a zip archive with a link that leads out", () => makeZip({ f: "../../f" }, { modes: { f: 0o120777 } }), /lead/],
    ["a zip archive that unpacks to much", () => makeZip({ f: "x".repeat(1001) }), /unpacks to more than 1000 bytes/],
    ["a zip bomb", () => makeZip({ f: new Uint8Array(40 * 1024 ** 2) }), /unpacks to more than 1000 bytes/],
    ["nothing", () => new Uint8Array(0), /is empty/],
    ["text", () => new TextEncoder().encode("FROM scratch\n".repeat(100)), /cannot be read: tar archive/],
    ["a bomb", () => Uint8Array.from(gzipSync(new Uint8Array(50_000_000).fill(1))), /cannot be read|more than/],
    ["a long archive", () => new Uint8Array(100_001), /more than 100000 bytes/],
  ])("refuses %s", async (_, archive, message) => {
    await using place = await openFolder();

    const unpacking = unpackContext(streamBytes(await archive()), place.folder, { signal, limits });

    await expect(unpacking).rejects.toThrow(message);
  });

  it("stops when its signal does", async () => {
    await using place = await openFolder();

    const unpacking = unpackContext(streamBytes(await packTree({ f: "" })), place.folder, {
      signal: AbortSignal.abort(),
    });

    await expect(unpacking).rejects.toThrow(/aborted/);
  });
});
