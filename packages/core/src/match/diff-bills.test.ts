import { describe, expect, it } from "vitest";
import type { IndexReport } from "../model/index-report.ts";
import { diffBills } from "./diff-bills.ts";

interface Stated {
  readonly license?: string;
  readonly needs?: readonly string[];
}

/** A report of packages as `NAME VERSION`. */
function reportOf(packages: Readonly<Record<string, Stated>>): Parameters<typeof diffBills>[0] {
  const entries = Object.entries(packages).map(([text, stated], index) => {
    const [name = "", version = ""] = text.split(" ");
    return { id: String(index + 1), name, version, stated };
  });
  const idOf = (name: string) => entries.find((each) => each.name === name)?.id ?? "";
  return {
    packages: Object.fromEntries(entries.map(({ id, name, version }) => [id, { id, name, version, kind: "BINARY" }])),
    environments: {},
    repositories: {},
    details: Object.fromEntries(
      entries.flatMap(({ id, stated: { license } }) =>
        license === undefined ? [] : [[id, { licenses: [{ text: license }] }]],
      ),
    ),
    dependencies: Object.fromEntries(
      entries.flatMap(({ id, stated: { needs } }) =>
        needs === undefined ? [] : [[id, { packageIds: needs.map(idOf) }]],
      ),
    ),
  } satisfies Partial<IndexReport>;
}

describe("diffBills", () => {
  it("is empty for equal reports, whatever their ids", () => {
    const a = reportOf({ "a 1": { license: "MIT", needs: ["b"] }, "b 1": {} });
    const b = reportOf({ "b 1": {}, "a 1": { license: "mit", needs: ["b"] } });

    expect(diffBills(a, b)).toEqual({ licenses: [], dependencies: [] });
  });

  it("names the packages of both with another licence, at any version", () => {
    const before = reportOf({
      "redis 7.2": { license: "BSD-3-Clause" },
      "z 1": {},
      "b 1": { license: "MIT" },
      "gone 1": {},
    });
    const after = reportOf({
      "redis 7.4": { license: "SSPL-1.0" },
      "z 1": { license: "ISC" },
      "b 2": {},
      "new 1": { license: "X" },
    });

    expect(diffBills(before, after).licenses).toEqual([
      { name: "b", before: "MIT", after: undefined },
      { name: "redis", before: "BSD-3-Clause", after: "SSPL-1.0" },
      { name: "z", before: undefined, after: "ISC" },
    ]);
  });

  it("has the licences of all versions of a package", () => {
    const before = reportOf({ "a 1": { license: "MIT" }, "a 2": { license: "ISC" } });

    expect(diffBills(before, reportOf({ "a 2": { license: "ISC" } })).licenses).toEqual([
      { name: "a", before: "ISC, MIT", after: "ISC" },
    ]);
  });

  it("names what packages of both need now, and no longer", () => {
    const before = reportOf({ "a 1": { needs: ["b", "c"] }, "b 1": { needs: [] }, "c 1": {}, "d 1": {} });
    const after = reportOf({
      "a 2": { needs: ["b", "d"] },
      "b 1": { needs: ["d"] },
      "c 1": { needs: ["d"] },
      "d 1": {},
    });

    expect(diffBills(before, after).dependencies).toEqual([
      { name: "a", added: ["d"], removed: ["c"] },
      { name: "b", added: ["d"], removed: [] },
    ]); // c did not say what it needs before
  });

  it.each(["details", "dependencies"] as const)("says nothing where a report has no %s", (member) => {
    const one = reportOf({ "a 1": { license: "MIT", needs: [] } });
    const { [member]: _, ...other } = one;
    const part = member === "details" ? "licenses" : "dependencies";

    expect(diffBills(one, other)[part]).toBeUndefined();
    expect(diffBills(other, one)[part]).toBeUndefined();
  });
});
