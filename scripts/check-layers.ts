/** Checks the layer rules over every source file, that no files import each other, and the limits of the structure; prints what broke, and where. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { brokenRules } from "./layer-rules.ts";
import { exceededLimits, structureCounts, structureFigures } from "./measure-structure.ts";
import { type ParsedSource, parseSources } from "./parsed-source.ts";
import { signatureRule } from "./signature-rule.ts";

function checkLayers(): void {
  const everything = [
    "packages/*/src/**/*.{ts,tsx,mts,cts}",
    "packages/console/web/**/*.{ts,tsx,mts,cts}",
    "benchmarks/**/*.ts",
    "examples/**/*.ts",
    "scripts/**/*.ts",
    "tests/**/*.ts",
  ];
  const paths = globSync(everything, { exclude: ["**/node_modules/**", "**/*.d.ts"] })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
  const files = paths.map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const all = parseSources(files);
  const sources = all.filter(({ path }) =>
    /^packages\/(?:[^/]+\/src|console\/web)\/(?!.*\bfixtures\/)(?!.*\.test\.tsx?$)/.test(path),
  );
  const broken = [
    ...sources.flatMap((file) => brokenRules(file).map((rule) => `${file.path}: ${rule}`)),
    ...all.flatMap((file) => signatureRule(file).map((rule) => `${file.path}: ${rule}`)),
    ...importCycles(all).map((cycle) => `import each other: ${cycle.join(", ")}`),
    ...exceededLimits(structureFigures(files, { parsed: all, counts: structureCounts() })),
  ];
  for (const line of broken) console.log(line);
  console.log(`${sources.length} files, ${broken.length} broken rules`);
  if (broken.length > 0) process.exitCode = 1;
}

/** Groups of files that import each other, in a circle or through others. */
export function importCycles(files: readonly Pick<ParsedSource, "path" | "imports">[]): string[][] {
  const known = new Set(files.map(({ path }) => path));
  const imports = new Map(files.map((file) => [file.path, importedFiles(file).filter((path) => known.has(path))]));
  return connectedGroups(imports).filter(
    (group) => group.length > 1 || imports.get(group[0] ?? "")?.includes(group[0] ?? ""),
  );
}

function importedFiles({ path, imports }: Pick<ParsedSource, "path" | "imports">): string[] {
  return imports
    .map(({ specifier }) => specifier)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => join(dirname(path), specifier));
}

/** The strongly connected components of a graph, by Tarjan's algorithm. */
function connectedGroups(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];

  function visit(node: string): number {
    const own = order.size;
    order.set(node, own);
    open.push(node);
    let low = own;
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === own) groups.push(open.splice(open.indexOf(node)).sort());
    return low;
  }

  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return groups;
}

if (import.meta.main) checkLayers();
