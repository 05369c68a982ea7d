/** Import cycles between files; an import of types counts as any other. */
import { dirname, join } from "node:path/posix";
import type { ParsedSource } from "./parsed-source.ts";

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
