import { describe, expect, it } from "vitest";
import { documentPlace } from "../../model/json-place.ts";
import type { Json } from "../../plugins.ts";
import { osvRanges } from "./ranges.ts";

const read = (affected: Json) => osvRanges(documentPlace(affected, "GHSA-1", "malformed_feed"));

describe("osvRanges", () => {
  it.each<[string, Json[], unknown[]]>([
    ["every version", [{ introduced: "0" }], [{}]],
    ["up to a fix", [{ introduced: "0" }, { fixed: "1.2" }], [{ fixed: "1.2" }]],
    ["from a version on", [{ introduced: "1.2" }], [{ introduced: "1.2" }]],
    [
      "up to the last affected",
      [{ introduced: "1" }, { last_affected: "2" }],
      [{ introduced: "1", lastAffected: "2" }],
    ],
    ["up to a limit", [{ introduced: "1" }, { limit: "2" }], [{ introduced: "1", fixed: "2" }]],
    ["without a limit", [{ introduced: "1" }, { limit: "*" }], [{ introduced: "1" }]],
    [
      "several pairs",
      [{ introduced: "0" }, { fixed: "1.2" }, { introduced: "2.0-0" }, { fixed: "2.1" }],
      [{ fixed: "1.2" }, { introduced: "2.0-0", fixed: "2.1" }],
    ],
    [
      "pairs that are not in turn",
      [{ introduced: "2.0" }, { introduced: "0" }, { fixed: "2.10" }, { fixed: "1.9" }],
      [{ fixed: "1.9" }, { introduced: "2.0", fixed: "2.10" }],
    ],
    [
      "the end of a range before the beginning of the next at one version",
      [{ introduced: "1" }, { introduced: "2" }, { fixed: "2" }, { fixed: "3" }],
      [
        { introduced: "1", fixed: "2" },
        { introduced: "2", fixed: "3" },
      ],
    ],
    [
      "two introductions",
      [{ introduced: "1" }, { introduced: "2" }, { fixed: "3" }],
      [{ introduced: "1", fixed: "3" }],
    ],
    ["two fixes", [{ introduced: "0" }, { fixed: "1" }, { fixed: "2" }], [{ fixed: "1" }]],
    ["events of two members", [{ introduced: "0", fixed: "1" }], [{ fixed: "1" }]],
    ["nothing without an introduction", [{ fixed: "1" }], []],
    ["nothing without events", [], []],
  ])("reads %s", (_, events, ranges) => {
    expect(read({ ranges: [{ type: "ECOSYSTEM", events }] })).toEqual(ranges);
  });

  it("passes over ranges of commits, wherever they stand", () => {
    const commits = { type: "GIT", events: [{ introduced: "0" }] };
    const versions = { type: "SEMVER", events: [{ introduced: "0" }, { fixed: "1.2.3" }] };

    expect(read({ ranges: [commits, versions] })).toEqual([{ fixed: "1.2.3" }]);
    expect(read({ ranges: [commits] })).toEqual([]);
    expect(read({})).toEqual([]);
  });

  it.each<[string, Json]>([
    ["an unknown event", { ranges: [{ type: "SEMVER", events: [{ mended: "1" }] }] }],
    ["a version that is no string", { ranges: [{ type: "SEMVER", events: [{ fixed: 1 }] }] }],
    ["no type", { ranges: [{ events: [] }] }],
    ["no events", { ranges: [{ type: "SEMVER" }] }],
  ])("refuses %s", (_, affected) => {
    expect(() => read(affected)).toThrow(expect.objectContaining({ code: "malformed_feed" }));
  });
});
