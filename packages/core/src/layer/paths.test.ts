import { describe, expect, it } from "vitest";
import { foldersAbove, joinPath, nameOf, normalizePath, parentOf } from "./paths.ts";

describe("normalizePath", () => {
  const rows: readonly [string, string | undefined][] = [
    ["etc/os-release", "etc/os-release"],
    ["./etc/os-release", "etc/os-release"],
    ["/etc/os-release", "etc/os-release"],
    ["//etc///os-release/", "etc/os-release"],
    ["etc/./x/../os-release", "etc/os-release"],
    ["a/..", ""],
    [".", ""],
    ["./", ""],
    ["/", ""],
    ["..", undefined],
    ["../etc/passwd", undefined],
    ["/../etc/passwd", undefined],
    ["a/../../b", undefined],
    ["...", "..."],
    ["a/..b/.c", "a/..b/.c"],
    ["a\\..\\b", "a\\..\\b"],
  ];

  it.each(rows)("makes %j %j", (name, path) => {
    expect(normalizePath(name)).toBe(path);
  });
});

describe("foldersAbove", () => {
  it("names every folder above a path, the root last", () => {
    expect([...foldersAbove("a/b/c")]).toEqual(["a/b", "a", ""]);
    expect([...foldersAbove("a")]).toEqual([""]);
    expect([...foldersAbove("")]).toEqual([]);
  });
});

describe("parentOf, nameOf and joinPath", () => {
  it.each(["a", "a/b", "a/b/c.d"])("take %s apart and put it together", (path) => {
    expect(joinPath(parentOf(path), nameOf(path))).toBe(path);
  });
});
