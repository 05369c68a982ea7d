import { describe, expect, it } from "vitest";
import { readWhiteout, type Whiteout } from "./layer-tree.ts";

describe("readWhiteout", () => {
  const rows: readonly [string, Whiteout | undefined][] = [
    [".wh.gone", { kind: "removed", path: "gone" }],
    ["a/b/.wh.gone", { kind: "removed", path: "a/b/gone" }],
    ["a/.wh..hidden", { kind: "removed", path: "a/.hidden" }],
    ["a/.wh.x.wh.y", { kind: "removed", path: "a/x.wh.y" }],
    [".wh..wh..opq", { kind: "opaque", folder: "" }],
    ["a/b/.wh..wh..opq", { kind: "opaque", folder: "a/b" }],
    [".wh..wh.plnk", { kind: "ignored" }],
    ["a/.wh..wh.aufs", { kind: "ignored" }],
    [".wh.", { kind: "ignored" }],
    [".wh..", { kind: "ignored" }],
    ["a/.wh...", { kind: "ignored" }],
    ["usr/bin/which", undefined],
    ["usr/lib/python3/dist-packages/wheel-0.38.wh.dist-info/METADATA", undefined],
    [".wh.folder/file", undefined],
    ["a.wh.b", undefined],
    [".whatever", undefined],
  ];

  it.each(rows)("reads %s", (path, whiteout) => {
    expect(readWhiteout(path)).toEqual(whiteout);
  });
});
