/**
 * Figures of the structure, with their limits: how many files there are, how many have one reader, how many conditional spreads are left.
 * `npm run layers` fails where a limit is exceeded; this prints all figures:
 *
 *     node scripts/measure-structure.ts
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { type ParsedSource, parseSources, type SourceFile } from "./parsed-source.ts";
import { areaCalls, depthOf } from "./registry-areas.ts";

/** A figure of the structure. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** Absent: nothing limits it. */
  readonly most?: number;
}

/** Counts that files of sources do not tell. */
interface StructureCounts {
  readonly scripts: number;
  readonly promised: number;
  readonly depth: number;
}

/** The figures of the product's files. @param parsed the same files as the compiler reads them */
export function structureFigures(
  files: readonly SourceFile[],
  {
    parsed,
    counts: { scripts, promised, depth },
  }: { readonly parsed: readonly ParsedSource[]; readonly counts: StructureCounts },
): readonly Figure[] {
  const product = files.filter(({ path }) => isOfProduct(path));
  const paths = product.map(({ path }) => path);
  const sources = parsed.filter(({ path }) => isOfProduct(path));
  const readers = readersOf(sources);
  const lines = product.reduce((sum, { text }) => sum + linesOf(text), 0);
  const single = product.filter(({ path }) => readers.get(path)?.length === 1);
  const listed = single.filter(({ path }) => isList(readers.get(path)?.[0] ?? ""));
  const short = single.filter(({ text }) => linesOf(text) <= 40);
  const spreads = sources.reduce((sum, { conditionalSpreads }) => sum + conditionalSpreads, 0);
  const percent = (count: number) => Math.round((count * 1000) / Math.max(1, paths.length)) / 10;
  return [
    { name: "source files", value: paths.length, most: 1900 },
    { name: "lines, in thousands", value: Math.round(lines / 1000) },
    { name: "files with one reader, in %", value: percent(single.length) },
    {
      name: "files with one reader, except those that are listed with others or are entries, in %",
      value: percent(single.length - listed.length),
      most: 25,
    },
    { name: "files with one reader and at most 40 lines, in %", value: percent(short.length), most: 6 },
    {
      name: "conditional spreads in 1,000 lines",
      value: Math.ceil((spreads * 100_000) / Math.max(1, lines)) / 100,
      most: 0.5,
    },
    { name: "scripts", value: scripts, most: 38 },
    { name: "names that core promises, without those of each order of versions", value: promised, most: 126 },
    { name: "depth of the registry's areas", value: depth, most: 6 },
  ];
}

/** The figures that exceed their limits, as messages. */
export function exceededLimits(figures: readonly Figure[]): readonly string[] {
  return figures.flatMap(({ name, value, most }) =>
    most === undefined || value <= most ? [] : [`${name}: ${value}, expected at most ${most}`],
  );
}

/** The counts of this repository. */
export function structureCounts(): StructureCounts {
  return {
    scripts: globSync("scripts/**/*.{ts,mjs,sh}").length,
    promised: promisedNames(readFileSync("packages/core/api.txt", "utf8")).size,
    depth: Math.max(...Object.keys(areaCalls).map(depthOf)),
  };
}

/** The names in an API report, without those of types that others only mention. */
function promisedNames(report: string): ReadonlySet<string> {
  const entries = report.split("\n# ").filter((entry) => !/^Types |^@plimsoll\/core\/versions\//.test(entry));
  const names = entries.flatMap((entry) => [...entry.matchAll(/^(?:function|class|const|interface|type) (\w+)/gm)]);
  return new Set(names.map(([, name = ""]) => name));
}

function isOfProduct(path: string): boolean {
  return /^packages\/(?!testing\/)(?:[^/]+\/src|console\/web)\/(?!.*\bfixtures\/)(?!.*\.test\.tsx?$)/.test(path);
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

if (import.meta.main) {
  const paths = globSync(["packages/*/src/**/*.{ts,tsx}", "packages/console/web/**/*.{ts,tsx}"], {
    exclude: ["**/node_modules/**", "**/*.d.ts"],
  });
  const files = paths.map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(path, "utf8") }));
  const figures = structureFigures(files, { parsed: parseSources(files), counts: structureCounts() });
  console.table(Object.fromEntries(figures.map(({ name, ...figure }) => [name, figure])));
  if (exceededLimits(figures).length > 0) process.exitCode = 1;
}
