import { describe, expect, it } from "vitest";
import { upgradesOf } from "./findings-view.tsx";
import { found, type Row } from "./fixtures/found.ts";

const openssl = { source: "openssl", upgradeTo: "3" } as const;

/** What each upgrade removes. */
function removals(...rows: readonly Row[]) {
  return upgradesOf(found(...rows)).map(({ name, to, findings }) => [
    name,
    to,
    findings.map(({ vulnerability }) => vulnerability.Name),
  ]);
}

describe("upgradesOf", () => {
  it("joins all that one upgrade of a source removes, and puts what has no fix last", () => {
    expect(
      removals(
        { id: "no fix", rank: 0, name: "zlib", severity: "Critical", isExploited: true },
        { id: "later", rank: 1, name: "libssl3", fixedIn: "3", ...openssl },
        { id: "earlier", rank: 2, name: "libssl3", fixedIn: "2", ...openssl },
        { id: "never", rank: 3, name: "libssl3", ...openssl },
        { id: "earlier", rank: 2, name: "openssl", fixedIn: "2", upgradeTo: "3" },
      ),
    ).toEqual([
      ["openssl", "3", ["later", "earlier", "earlier"]],
      ["zlib", "", ["no fix"]],
      ["openssl", "", ["never"]],
    ]);
  });

  it("keeps each fix apart where the order of versions is not known", () => {
    expect(removals({ id: "1", fixedIn: "a" }, { id: "2", fixedIn: "b", rank: 1 })).toEqual([
      ["openssl", "a", ["1"]],
      ["openssl", "b", ["2"]],
    ]);
  });

  it.each([
    [
      "more known exploits",
      [{ severity: "Low", isExploited: true }],
      [{ severity: "Critical" }, { severity: "Critical" }],
    ],
    ["more of the worst severity", [{ severity: "Critical" }], [{ severity: "High" }, { severity: "High" }]],
    ["more of the next severity", [{ severity: "High" }, { severity: "Low" }], [{ severity: "High" }]],
    ["the greater risk of one finding", [{ severity: "High", rank: 0 }], [{ severity: "High", rank: 9 }]],
  ])("puts first what removes %s", (_, more, less) => {
    const rows = (name: string, some: readonly object[]) =>
      some.map((row, index) => ({ name, id: `${index}`, fixedIn: "2", rank: index + 1, ...row }));

    for (const [first, second] of [
      [more, less],
      [less, more],
    ] as const) {
      const upgrades = upgradesOf(
        found(...rows(first === more ? "worse" : "other", first), ...rows(second === more ? "worse" : "other", second)),
      );
      expect(upgrades.map(({ name }) => name)).toEqual(["worse", "other"]);
    }
  });
});
