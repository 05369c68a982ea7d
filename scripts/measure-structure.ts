/**
 * Prints figures of the structure: how many files there are, how many have one reader, how many conditional spreads are left.
 *
 *     node scripts/measure-structure.ts
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { type ParsedSource, parseSources } from "./parsed-source.ts";

const paths = globSync(["packages/*/src/**/*.{ts,tsx}", "packages/console/web/**/*.{ts,tsx}"], {
  exclude: ["**/node_modules/**", "**/fixtures/**", "**/*.test.ts", "**/*.test.tsx", "**/*.d.ts"],
})
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => !path.startsWith("packages/testing/"));
const texts = new Map(paths.map((path) => [path, readFileSync(path, "utf8")]));
const sources = parseSources([...texts].map(([path, text]) => ({ path, text })));
const readers = readersOf(sources);
const lines = [...texts.values()].reduce((sum, text) => sum + linesOf(text), 0);
const single = paths.filter((path) => readers.get(path)?.length === 1);
const listed = single.filter((path) => isList(readers.get(path)?.[0] ?? ""));
const short = single.filter((path) => linesOf(texts.get(path) ?? "") <= 40);
const spreads = [...texts.values()].reduce((sum, text) => sum + (text.match(conditionalSpread())?.length ?? 0), 0);
console.table({
  "source files": paths.length,
  "lines, in thousands": Math.round(lines / 1000),
  "files with one reader, in %": percent(single.length),
  "of all files: one reader, which is a list of such files or an entry of a package, in %": percent(listed.length),
  "files with one reader and at most 40 lines, in %": percent(short.length),
  "conditional spreads in 1,000 lines": Number(((spreads * 1000) / lines).toFixed(2)),
  scripts: globSync("scripts/**/*.{ts,mjs,sh}").length,
});

/** `...(x && { x })`, `...(x ? { x } : {})`, `...(x === undefined ? {} : { x })` */
function conditionalSpread(): RegExp {
  return /\.\.\.\((?:[^()]|\([^()]*\))*?(?:&& \{|\? \{\s)/g;
}

/** Ecosystems, feeds, operations, settings, texts: each is read where all of them are listed. What an entry shows, other packages read. */
function isList(path: string): boolean {
  return /(?:^|\/)(?:all(?:-\w+)?|index|internal|formats|jobs|operations|en)\.ts$|\/entries\//.test(path);
}

/** The files that import each file. Entries of packages are read by other packages as well. */
function readersOf(all: readonly ParsedSource[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, imports } of all) {
    for (const target of new Set(imports.map(({ specifier }) => targetOf(path, specifier)))) {
      if (target !== undefined) found.set(target, [...(found.get(target) ?? []), path]);
    }
  }
  return found;
}

function targetOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return normalize(join(dirname(path), specifier));
  const [, name, rest] = /^@plimsoll\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  return name === undefined ? undefined : `packages/${name}/src/${rest}.ts`;
}

function linesOf(text: string): number {
  return text.split("\n").length - 1;
}

function percent(count: number): number {
  return Math.round((count * 100) / paths.length);
}
