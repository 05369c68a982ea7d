import { describe, expect, it } from "vitest";
import { createEngine } from "./create-engine.ts";
import { allEcosystems } from "./ecosystems/all.ts";
import { allEvidence } from "./ecosystems/all-evidence.ts";
import { allUpdaters } from "./feeds/all.ts";
import type { Detector, FileDetector, FileEntry } from "./plugins/detector.ts";
import type { Ecosystem } from "./plugins/ecosystem.ts";
import type { Enricher } from "./plugins/enricher.ts";
import type { EvidenceRule } from "./plugins/evidence.ts";
import type { Lookups } from "./plugins/lookups.ts";
import type { Matcher } from "./plugins/matcher.ts";

function ecosystemWith(name: string, ...detectors: Detector[]): Ecosystem {
  return { name, detectors, matchers: [], purl: [] };
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

function enricherOf(name: string, type: string, feed: string): Enricher {
  const updater = {
    name: feed,
    location: "https://feeds.example",
    update: async () => ({ kind: "unchanged" }) as const,
  };
  return { name, type, updater, tags: () => [], enrich: () => undefined };
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

  it("gives file detectors its look-ups, and has another state with another index", () => {
    const seen: Lookups[] = [];
    const detector: FileDetector = {
      name: "jars",
      revision: 1,
      wants: () => true,
      detect: () => [],
      withLookups: (lookups) => {
        seen.push(lookups);
        return { ...detector, wants: () => false };
      },
    };
    const ecosystems = [{ ...ecosystemWith("x"), fileDetectors: [detector] }];
    const indexOf = (state: string) => ({ java: { state, ofArchive: () => [], groupsOf: () => [] } });

    const engines = [{}, indexOf("1"), indexOf("2")].map((lookups) => createEngine({ ecosystems, lookups }));

    expect(seen).toEqual(engines.map(({ lookups }) => lookups));
    expect(engines[0]?.fileDetectors.map(({ wants }) => wants({} as FileEntry))).toEqual([false]);
    expect(new Set(engines.map((engine) => engine.state)).size).toBe(3);
  });

  it("has another state with evidence of its own, and the same with that of an ecosystem that is known", () => {
    const plain = ecosystemWith("x");
    const stateOf = (...evidence: readonly EvidenceRule[]) =>
      createEngine({ ecosystems: [{ ...plain, evidence }] }).state;

    expect(stateOf({ kind: "other", extensions: ["pkg"] })).not.toBe(stateOf());
    expect(stateOf({ kind: "other", extensions: ["pkg"], where: /a/ })).not.toBe(
      stateOf({ kind: "other", extensions: ["pkg"], where: /b/ }),
    );
    expect(stateOf(...allEvidence)).toBe(stateOf());
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

  it("refuses two ecosystems with one type of package URLs", () => {
    const ecosystems = ["x", "y"].map((name) => ({ ...ecosystemWith(name), purl: ["gem"] }));

    expect(() => createEngine({ ecosystems })).toThrow("x and y both have package URLs of the type gem");
  });

  it.each([
    ["a feed of advisories has the name of one of facts", enricherOf("e", "t", "debian"), /updaters are named debian/],
    ["two enrichers have one name", enricherOf("known", "t", "f"), /enrichers are named known/],
    ["two enrichers' feeds have one name", enricherOf("e", "t", "facts"), /updaters are named facts/],
  ])("refuses that %s", (_story, enricher, message) => {
    const enrichers = [enricherOf("known", "type", "facts"), enricher];

    expect(() => createEngine({ ecosystems: allEcosystems, updaters: allUpdaters, enrichers })).toThrow(message);
  });

  it("takes enrichers that share a feed", () => {
    const first = enricherOf("a", "a", "facts");

    expect(() =>
      createEngine({ ecosystems: [], enrichers: [first, { ...first, name: "b", type: "b" }] }),
    ).not.toThrow();
  });
});
