import { describe, expect, it } from "vitest";
import type { LayerShape } from "./layer-contents.ts";
import { createOverlay, survives } from "./overlay.ts";
import { buildPathSet, nothingChanged } from "./path-set.ts";

interface Changes {
  readonly removed?: readonly string[];
  readonly opaque?: readonly string[];
  readonly leaves?: readonly string[];
  readonly folders?: readonly string[];
}

function shape({ removed = [], opaque = [], leaves = [], folders = [] }: Changes): LayerShape {
  return {
    removed: buildPathSet(removed),
    opaque: buildPathSet(opaque),
    leaves: buildPathSet(leaves),
    folders: buildPathSet(folders),
  };
}

describe("survives", () => {
  const rows: readonly [string, Changes, boolean][] = [
    ["an empty layer", {}, true],
    ["a whiteout of the path", { removed: ["a/b/c"] }, false],
    ["a whiteout of a folder above", { removed: ["a"] }, false],
    ["a whiteout of a neighbour", { removed: ["a/b/cc", "a/b/d", "a/bb", "b"] }, true],
    ["a whiteout of something below", { removed: ["a/b/c/d"] }, true],
    ["an opaque folder", { opaque: ["a/b"] }, false],
    ["an opaque folder further above", { opaque: ["a"] }, false],
    ["an opaque root", { opaque: [""] }, false],
    ["an opaque folder elsewhere", { opaque: ["b", "a/bb"] }, true],
    ["an opaque folder at the path, which is no folder", { opaque: ["a/b/c"] }, true],
    ["a file at the path", { leaves: ["a/b/c"] }, false],
    ["a file in place of a folder above", { leaves: ["a/b"] }, false],
    ["files elsewhere", { leaves: ["a/b/d", "b"], folders: ["a", "a/b"] }, true],
    ["a folder at the path", { folders: ["a/b/c"] }, false],
  ];

  it.each(rows)("says whether a/b/c is still there after %s", (_, changes, expected) => {
    expect(survives([nothingChanged, shape(changes), nothingChanged], "a/b/c", 0)).toBe(expected);
  });

  it("looks at layers above only", () => {
    const layers = [shape({ removed: ["f"] }), shape({ removed: ["f"], leaves: ["f"] }), nothingChanged];

    expect([0, 1, 2].map((index) => survives(layers, "f", index))).toEqual([false, true, true]);
  });
});

describe("createOverlay", () => {
  it("answers many questions about the same layers", () => {
    const overlay = createOverlay([nothingChanged, shape({ removed: ["a"] }), shape({ opaque: ["b"] })]);

    expect(overlay.survives("a/x", 0)).toBe(false);
    expect(overlay.survives("a/x", 1)).toBe(true);
    expect(overlay.survives("b/x", 1)).toBe(false);
    expect(overlay.survives("c", 0)).toBe(true);
  });
});
