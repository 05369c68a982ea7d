import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { schemes } from "./fixtures/schemes.ts";

/** The rows of a `version.cases.txt`. Chains hold `a < b` and `a = b`; every pair of a chain is a case. */
function readCases(folder: string): { readonly chains: readonly string[]; readonly malformed: readonly string[] } {
  const text = readFileSync(new URL(`../${folder}/version.cases.txt`, import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return {
    chains: lines.filter((line) => !line.startsWith("!")),
    malformed: lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1).trim()),
  };
}

/** Versions of a chain with their level: `<` raises it, `=` keeps it. */
function levelsOf(chain: string): readonly { readonly version: string; readonly level: number }[] {
  const [first = "", ...rest] = chain.split(/ ([<=]) /);
  const levels = [{ version: first, level: 0 }];
  for (let i = 0; i < rest.length; i += 2) {
    const level = (levels.at(-1)?.level ?? 0) + (rest[i] === "<" ? 1 : 0);
    levels.push({ version: rest[i + 1] ?? "", level });
  }
  return levels;
}

describe.each(schemes)("compare of $versions.name", ({ folder, compare, valid }) => {
  const { chains, malformed } = readCases(folder);

  it.each(chains)("orders %s", (chain) => {
    const levels = levelsOf(chain);

    for (const a of levels) {
      for (const b of levels) {
        expect([a.version, b.version, compare(a.version, b.version)]).toEqual([
          a.version,
          b.version,
          Math.sign(a.level - b.level),
        ]);
      }
    }
  });

  it.each(chains)("accepts %s", (chain) => {
    expect(levelsOf(chain).filter(({ version }) => !valid(version))).toEqual([]);
  });

  it.each(malformed)("refuses %j", (text) => {
    expect(valid(text)).toBe(false);
    expect(() => compare(text, text)).toThrow(expect.objectContaining({ code: "malformed_version" }));
  });
});
