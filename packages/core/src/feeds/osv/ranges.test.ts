import { describe, expect, it } from "vitest";
import { documentPlace } from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";
import { osvRanges } from "./ranges.ts";
import { osvVersionOrder } from "./version-orders.ts";

const read = (affected: Json, family = "PyPI") =>
  osvRanges(documentPlace(affected, "GHSA-1", "malformed_feed"), osvVersionOrder(family));

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
    ["up to a limit, which is no fix", [{ introduced: "1" }, { limit: "2" }], [{ introduced: "1", below: "2" }]],
    ["a fix below a limit", [{ introduced: "1" }, { limit: "3" }, { fixed: "2" }], [{ introduced: "1", fixed: "2" }]],
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
    [
      "pairs whose end is below the beginning",
      [{ introduced: "2.0" }, { fixed: "1.0" }, { introduced: "0.5" }, { fixed: "2.1" }],
      [
        { introduced: "0.5", fixed: "1.0" },
        { introduced: "2.0", fixed: "2.1" },
      ],
    ],
    ["an end below the only beginning", [{ introduced: "2.0" }, { fixed: "1.0" }], [{ introduced: "2.0" }]],
    ["one version", [{ introduced: "1" }, { last_affected: "1" }], [{ introduced: "1", lastAffected: "1" }]],
    [
      "one version among others",
      [{ introduced: "3" }, { introduced: "1" }, { last_affected: "1" }, { fixed: "4" }],
      [
        { introduced: "1", lastAffected: "1" },
        { introduced: "3", fixed: "4" },
      ],
    ],
    [
      "a beginning that is written differently",
      [{ introduced: "1.0" }, { fixed: "1" }],
      [{ introduced: "1.0", fixed: "1" }],
    ],
    ["two fixes", [{ introduced: "0" }, { fixed: "1" }, { fixed: "2" }], [{ fixed: "1" }]],
    ["events of two members", [{ introduced: "0", fixed: "1" }], [{ fixed: "1" }]],
    ["nothing without an introduction", [{ fixed: "1" }], []],
    ["nothing without events", [], []],
  ])("reads %s", (_, events, ranges) => {
    expect(read({ ranges: [{ type: "ECOSYSTEM", events }] })).toEqual(ranges);
  });

  const semver = "SEMVER";
  const own = "ECOSYSTEM";
  it.each([
    ["PyPI", own, "1.0", "1.0rc1"],
    ["RubyGems", own, "2.0.0", "2.0.0.rc1"],
    ["Maven", own, "1.0", "1.0-alpha"],
    ["Debian", own, "1.0-1", "1.0~rc1-1"],
    ["Alpine", own, "1.0-r0", "1.0_rc1-r0"],
    ["npm", semver, "1.0.0", "1.0.0-rc.1"],
    ["Packagist", semver, "1.0.0", "1.0.0-rc.1"],
    ["PyPI", own, "1.0.x.y", "0.1"],
  ])("puts events of %s (%s) in the order of its versions", (family, type, later, earlier) => {
    const events = [{ introduced: "0" }, { introduced: later }, { fixed: earlier }];

    expect(read({ ranges: [{ type, events }] }, family)).toEqual([{ fixed: earlier }, { introduced: later }]);
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
    [
      "versions that have no order",
      { ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "a b" }, { introduced: "0" }, { fixed: "1" }] }] },
    ],
    ["a version that is no string", { ranges: [{ type: "SEMVER", events: [{ fixed: 1 }] }] }],
    ["no type", { ranges: [{ events: [] }] }],
    ["no events", { ranges: [{ type: "SEMVER" }] }],
  ])("refuses %s", (_, affected) => {
    expect(() => read(affected)).toThrow(expect.objectContaining({ code: "malformed_feed" }));
  });
});
