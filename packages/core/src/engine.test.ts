import { describe, expect, it } from "vitest";
import { createEngine } from "./engine.ts";
import type { Detector, Ecosystem, VersionScheme } from "./plugins.ts";

const versions: VersionScheme<string> = { name: "text", parse: (text) => text, compare: () => 0 };

function ecosystemWith(name: string, ...detectors: Detector[]): Ecosystem {
  return { name, versions, detectors, coalesce: () => [], matchers: [], updaters: [] };
}

function detectorOf(name: string, revision = 1): Detector {
  return { name, revision, wants: () => false, detect: () => [] };
}

describe("createEngine", () => {
  const { state } = createEngine({ ecosystems: [ecosystemWith("x", detectorOf("a"), detectorOf("b"))] });

  it.each([
    ["the detectors stand in another order", [ecosystemWith("x", detectorOf("b"), detectorOf("a"))], true],
    [
      "they belong to other ecosystems",
      [ecosystemWith("x", detectorOf("b")), ecosystemWith("y", detectorOf("a"))],
      true,
    ],
    ["a revision rises", [ecosystemWith("x", detectorOf("a", 2), detectorOf("b"))], false],
    ["a detector is missing", [ecosystemWith("x", detectorOf("a"))], false],
    ["a detector has another name", [ecosystemWith("x", detectorOf("a"), detectorOf("c"))], false],
  ])("compares states when %s", (_story, ecosystems, same) => {
    expect(createEngine({ ecosystems }).state === state).toBe(same);
  });

  it("has another state with other limits", () => {
    const ecosystems = [ecosystemWith("x", detectorOf("a"), detectorOf("b"))];

    expect(createEngine({ ecosystems, limits: { maxFileBytes: 1 } }).state).not.toBe(state);
  });

  it("refuses two detectors of one name", () => {
    const ecosystems = [ecosystemWith("x", detectorOf("a")), ecosystemWith("y", detectorOf("a"))];

    expect(() => createEngine({ ecosystems })).toThrow("two detectors are named a");
  });
});
