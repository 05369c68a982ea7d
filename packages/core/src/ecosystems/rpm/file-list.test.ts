import { describe, expect, it } from "vitest";
import { readFileList } from "./file-list.ts";
import { type BuiltEntry, buildHeader, numbers, text, texts } from "./fixtures/build-header.ts";
import { decodeHeader } from "./header.ts";

const folders = texts(1118, ["/usr/bin/", "/", ""]);
const names = texts(1117, ["bash", "sh", "etc", "relative"]);

describe("readFileList", () => {
  it("joins folders and names, without the leading slash", () => {
    expect(listOf(folders, names, numbers(1116, [0, 0, 1, 2]))).toEqual([
      "usr/bin/bash",
      "usr/bin/sh",
      "etc",
      "relative",
    ]);
  });

  it("reads the whole paths of rpm 3", () => {
    expect(listOf(texts(1027, ["/bin/sh", "/etc/profile"]))).toEqual(["bin/sh", "etc/profile"]);
  });

  it("is empty for a package without files", () => {
    expect(listOf(text(1000, "metapackage"))).toEqual([]);
  });

  it.each<[string, BuiltEntry[], RegExp]>([
    [
      "an index outside of the folders",
      [folders, names, numbers(1116, [0, 0, 3, 0])],
      /one of 3 folders, found index 3/,
    ],
    ["a huge index", [folders, names, numbers(1116, [0xffffffff, 0, 0, 0])], /found index 4294967295/],
    ["too few indexes", [folders, names, numbers(1116, [0])], /a folder for each of 4 files, found 1/],
    ["no indexes", [folders, names], /found 0/],
    ["no folders", [names, numbers(1116, [0, 0, 0, 0])], /one of 0 folders/],
    ["an immense folder", [texts(1118, ["a".repeat(5000)]), texts(1117, ["a"]), numbers(1116, [0])], /at most 4096/],
  ])("rejects %s", (_, entries, message) => {
    expect(() => listOf(...entries)).toThrow(message);
  });
});

function listOf(...entries: BuiltEntry[]): readonly string[] {
  return [...readFileList(decodeHeader(buildHeader(entries)))];
}
