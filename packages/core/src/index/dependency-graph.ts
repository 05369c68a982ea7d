import type { IndexReport } from "../model/index-report.ts";

/** Which packages of an image need which, by their ids. */
export interface DependencyGraph {
  /** The packages on which all others hang: those that none needs, and one of each circle that none of these needs. */
  readonly roots: readonly string[];
  /** What each package needs; of packages that say so. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** Packages that need something that is not in the image. */
  readonly incomplete: readonly string[];
  /** Packages of which it is not known what they need. */
  readonly unknown: readonly string[];
}

/** The dependency graph of a report; undefined for a report without dependencies. */
export function dependencyGraph({ packages, dependencies }: IndexReport): DependencyGraph | undefined {
  if (dependencies === undefined) return undefined;
  const ids = Object.keys(packages);
  const needs = new Map(Object.entries(dependencies).map(([id, { packageIds }]) => [id, packageIds] as const));
  const needed = new Set([...needs.values()].flat());
  const roots = ids.filter((id) => !needed.has(id));
  const reached = new Set<string>();
  reach(roots, needs, reached);
  for (const id of ids) {
    if (reached.has(id)) continue;
    roots.push(id);
    reach([id], needs, reached);
  }
  return {
    roots,
    needs,
    incomplete: ids.filter((id) => (dependencies[id]?.unmet ?? []).length > 0),
    unknown: ids.filter((id) => dependencies[id] === undefined || dependencies[id].isPartial),
  };
}

/** Adds packages and all that they need. */
function reach(from: readonly string[], needs: DependencyGraph["needs"], reached: Set<string>): void {
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...(needs.get(id) ?? []));
  }
}

/**
 * A function that gives the shortest chain from a root to a package: the ids, the root first; undefined for a package that the report does not have. Of a chain of more than
 * `most` packages, it gives the last.
 * @example
 * declare const report: IndexReport;
 * const graph = dependencyGraph(report);
 * if (graph !== undefined) console.log(chainsIn(graph)("12"));
 */
export function chainsIn(graph: DependencyGraph): (id: string, most?: number) => readonly string[] | undefined {
  const neededBy = new Map<string, string | undefined>(graph.roots.map((root) => [root, undefined]));
  const open = [...graph.roots];
  for (const next of open) {
    for (const other of graph.needs.get(next) ?? []) {
      if (neededBy.has(other)) continue;
      neededBy.set(other, next);
      open.push(other);
    }
  }
  return (id, most = Number.POSITIVE_INFINITY) => {
    if (!neededBy.has(id)) return undefined;
    const chain = [id];
    for (let by = neededBy.get(id); by !== undefined && chain.length < most; by = neededBy.get(by)) chain.push(by);
    return chain.reverse();
  };
}
