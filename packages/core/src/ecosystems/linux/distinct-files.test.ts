import { describe, expect, it } from "vitest";
import type { LayerFile } from "../../plugins/detector.ts";
import { distinctFiles } from "./distinct-files.ts";

describe("distinctFiles", () => {
  it.each<[string, [path: string, contentPath: string][], string[]]>([
    [
      "separate files",
      [
        ["a", "a"],
        ["b", "b"],
      ],
      ["a", "b"],
    ],
    [
      "a link before its file",
      [
        ["a", "b"],
        ["b", "b"],
      ],
      ["b"],
    ],
    [
      "a link after its file",
      [
        ["a", "a"],
        ["b", "a"],
      ],
      ["a"],
    ],
    [
      "two links to a file that is not wanted",
      [
        ["a", "z"],
        ["b", "z"],
      ],
      ["a"],
    ],
  ])("yields %s once", (_, entries, expected) => {
    const files = new Map(entries.map(([path, contentPath]) => [path, fileAt(path, contentPath)]));

    const distinct = distinctFiles({ get: (path) => files.get(path), [Symbol.iterator]: () => files.values() });

    expect([...distinct].map(({ path }) => path)).toEqual(expected);
  });
});

function fileAt(path: string, contentPath: string): LayerFile {
  return { path, contentPath, mode: 0o644, bytes: new Uint8Array() };
}
