import { describe, expect, it } from "vitest";
import { createEngine } from "./engine.ts";
import type { Detector, Ecosystem, Matcher, VersionScheme } from "./plugins.ts";

const versions: VersionScheme<string> = { name: "text", parse: (text) => text, compare: () => 0 };

function ecosystemWith(name: string, ...detectors: Detector[]): Ecosystem {
  return { name, versions, detectors, coalesce: () => [], matchers: [], updaters: [] };
}

function detectorOf(name: string, revision = 1): Detector {
  return { name, revision, wants: () => false, detect: () => [] };
}

function matcherOf(name: string, keysRevision = 1): Matcher {
  return {
    name,
    keysRevision,
    accepts: () => false,
    keys: () => [],
    judge: () => ({ kind: "undecided", reason: "version-unknown" }),
  };
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

  it.each([
    ["they stand in another order", [matcherOf("b"), matcherOf("a")], true],
    ["a revision of keys rises", [matcherOf("a", 2), matcherOf("b")], false],
    ["one is missing", [matcherOf("a")], false],
    ["one has another name", [matcherOf("a"), matcherOf("c")], false],
  ])("has a state of keys, and the same state, when of the matchers %s", (_story, matchers, same) => {
    const withMatchers = (...given: Matcher[]) =>
      createEngine({ ecosystems: [{ ...ecosystemWith("x", detectorOf("a"), detectorOf("b")), matchers: given }] });

    const engine = withMatchers(...matchers);

    expect(engine.keysState === withMatchers(matcherOf("a"), matcherOf("b")).keysState).toBe(same);
    expect(engine.state).toBe(state);
  });

  it("refuses two detectors of one name", () => {
    const ecosystems = [ecosystemWith("x", detectorOf("a")), ecosystemWith("y", detectorOf("a"))];

    expect(() => createEngine({ ecosystems })).toThrow("two detectors are named a");
  });
});
