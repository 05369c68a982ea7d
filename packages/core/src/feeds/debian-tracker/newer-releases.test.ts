import { describe, expect, it } from "vitest";
import type { AdvisoryRange } from "../../model/advisory.ts";
import { withNewerReleases } from "./newer-releases.ts";

/** The ranges of bookworm, where releases have fixes; `undefined`: open, at a version that is not known. */
function bookworm(fixes: Readonly<Record<string, string | undefined>>): readonly AdvisoryRange[] | undefined {
  const statements = Object.entries(fixes).map(([codeName, said]) => {
    const held = said?.startsWith("open at ") ? said.slice("open at ".length) : undefined;
    const fixed = held === undefined ? said : undefined;
    return { codeName, status: "affected" as const, ranges: [fixed === undefined ? {} : { fixed }], held };
  });
  return withNewerReleases(statements).find(({ codeName }) => codeName === "bookworm")?.ranges;
}

describe("withNewerReleases", () => {
  it.each<[string, Readonly<Record<string, string | undefined>>, readonly AdvisoryRange[]]>([
    [
      "a newer upstream version",
      { bookworm: "1.0-1+deb12u1", trixie: "2.0-2" },
      [{ fixed: "1.0-1+deb12u1" }, { introduced: "2~", fixed: "2.0-2" }],
    ],
    [
      "the nearest part that differs",
      { bookworm: "6.1.90-1", trixie: "6.8.9-1", sid: "6.8.9-1" },
      [{ fixed: "6.1.90-1" }, { introduced: "6.8~", fixed: "6.8.9-1" }],
    ],
    [
      "each newer release",
      { sid: "3.1-1", bookworm: "1:1.0-1", trixie: "1:2.0.1-1", forky: "2:0.5-1" },
      [{ fixed: "1:1.0-1" }, { introduced: "1:2~", fixed: "1:2.0.1-1" }, { introduced: "2:0~", fixed: "2:0.5-1" }],
    ],
    ["the same fix", { bookworm: "1.0-1", trixie: "1.0-1" }, [{ fixed: "1.0-1" }]],
    ["the same upstream version", { bookworm: "1.0-1+deb12u1", trixie: "1.0-2" }, [{ fixed: "1.0-1+deb12u1" }]],
    ["an older release", { bullseye: "0.9-1", bookworm: "1.0-1" }, [{ fixed: "1.0-1" }]],
    ["a lower fix", { bookworm: "2.0-1", trixie: "1.0-1" }, [{ fixed: "2.0-1" }]],
    ["no fix of its own", { bookworm: undefined, trixie: "2.0-2" }, [{ below: "2.0-2" }]],
    [
      "no fix of its own, and several of newer releases",
      { bookworm: undefined, trixie: "2.0-2", sid: "3.1-2" },
      [{ below: "2.0-2" }, { introduced: "3~", fixed: "3.1-2" }],
    ],
    ["no fix of any, at versions that are not known", { bookworm: undefined, trixie: undefined }, [{}]],
    ["no fix of a newer release", { bookworm: "1.0-1", trixie: undefined }, [{ fixed: "1.0-1" }]],
    [
      "a newer release without a fix",
      { bookworm: "1.0-1", trixie: "open at 2.0-1" },
      [{ fixed: "1.0-1" }, { introduced: "2~" }],
    ],
    [
      "a newer release without a fix, and a fix of the next",
      { bookworm: "1.0-1", trixie: "open at 2.0-1", sid: "3.0-2" },
      [{ fixed: "1.0-1" }, { introduced: "2~", fixed: "3.0-2" }],
    ],
    [
      "a newer release without a fix that has the same upstream version",
      { bookworm: "1.0-1+deb12u1", trixie: "open at 1.0-2" },
      [{ fixed: "1.0-1+deb12u1" }],
    ],
    [
      "no fix of its own, at a known version",
      { bookworm: "open at 1.0-1", trixie: "2.0-2" },
      [{ below: "2~" }, { introduced: "2~", fixed: "2.0-2" }],
    ],
    ["no fix of any", { bookworm: "open at 1.0-1", trixie: "open at 2.0-2" }, [{}]],
    ["a malformed fix", { bookworm: "1.0-1", trixie: "2 0" }, [{ fixed: "1.0-1" }]],
  ])("adds the range of %s", (_, fixes, ranges) => {
    expect(bookworm(fixes)).toEqual(ranges);
  });
});
