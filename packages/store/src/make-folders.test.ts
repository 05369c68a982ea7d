import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolders } from "./make-folders.ts";

async function place() {
  const path = await mkdtemp(join(tmpdir(), "plimsoll-folders-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe("makeFolders", () => {
  it("creates missing folders, for its user alone, and returns the first one", async () => {
    await using at = await place();
    const folder = join(at.path, "a", "b", "c");

    expect(await makeFolders(folder)).toBe(join(at.path, "a"));
    expect(await makeFolders(folder)).toBeUndefined();
    expect(await makeFolders(join(folder, "d"))).toBe(join(folder, "d"));
    for (const made of ["a", "a/b", "a/b/c"]) expect((await stat(join(at.path, made))).mode & 0o777).toBe(0o700);
  });

  it("creates the same folders for many callers at once", async () => {
    await using at = await place();
    const folders = Array.from({ length: 50 }, (_, index) => join(at.path, "a", "b", `${index % 3}`, "c"));

    await Promise.all(folders.map(makeFolders));

    for (const folder of folders) expect((await stat(folder)).isDirectory()).toBe(true);
  });

  it("reports a file in the way", async () => {
    await using at = await place();
    await writeFile(join(at.path, "file"), "");

    await expect(makeFolders(join(at.path, "file"))).rejects.toMatchObject({ code: "EEXIST" });
    await expect(makeFolders(join(at.path, "file", "a"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  it.skipIf(process.platform !== "linux")("fails where a file system allows no folders", async () => {
    await expect(makeFolders("/proc/none/at/all")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
