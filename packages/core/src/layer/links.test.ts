import { describe, expect, it } from "vitest";
import { SymbolicLinks } from "./links.ts";
import { hashPath } from "./path-hash.ts";

describe("SymbolicLinks", () => {
  const links = new SymbolicLinks();
  for (const [path, target] of [
    ["lib", "usr/lib"],
    ["etc/os-release", "../usr/lib/os-release"],
    ["etc/absolute", "/usr/lib/x"],
    ["etc/through", "../lib/x"],
    ["up", "../../../../etc/passwd"],
    ["loop/a", "b"],
    ["loop/b", "a"],
    ["self", "self"],
    ["here", "./."],
    ["deep/one", "two/../two/x"],
    ["deep/two", "/lib"],
    ["empty", ""],
  ] as const) {
    links.set(hashPath(path), target);
  }
  for (let index = 0; index < 50; index++) links.set(hashPath(`chain/${index}`), `${index + 1}`);

  const rows: readonly [string, string | undefined][] = [
    ["usr/bin/env", "usr/bin/env"],
    ["lib", "usr/lib"],
    ["lib/x/y", "usr/lib/x/y"],
    ["libs", "libs"],
    ["etc/os-release", "usr/lib/os-release"],
    ["etc/absolute", "usr/lib/x"],
    ["etc/through", "usr/lib/x"],
    ["up", "etc/passwd"],
    ["loop/a", undefined],
    ["self", undefined],
    ["self/x", undefined],
    ["here/x", "x"],
    ["deep/one", "usr/two/x"],
    ["empty/x", "x"],
    ["chain/10", "chain/50"],
    ["chain/9", undefined],
  ];

  it.each(rows)("leads %s to %s", (path, place) => {
    expect(links.resolve(path)).toBe(place);
  });

  it("forgets a link that was replaced", () => {
    const replaced = new SymbolicLinks();
    replaced.set(hashPath("a"), "b");
    replaced.delete(hashPath("a"));

    expect(replaced.resolve("a/x")).toBe("a/x");
  });
});
