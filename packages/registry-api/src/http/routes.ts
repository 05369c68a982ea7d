import type { AnyOperation } from "../operation.ts";

/** An operation and the parts of the path that led to it. */
export interface RouteMatch {
  readonly operation: AnyOperation;
  readonly params: Readonly<Record<string, string>>;
}

/** What is known of a path. */
export type RouteResult =
  | { readonly kind: "found"; readonly match: RouteMatch }
  /** The path exists with other methods. */
  | { readonly kind: "wrong-method"; readonly allowed: readonly string[] }
  | { readonly kind: "unknown" };

/** Finds operations by method and path. */
export type FindRoute = (method: string, path: string) => RouteResult;

interface Route {
  readonly operation: AnyOperation;
  readonly segments: readonly string[];
  /** Where the repository stands, whose name may have slashes. */
  readonly repositoryAt: number;
}

/**
 * A router for paths with repository names: what follows the name decides which operation it is, the longest match first, so
 * `repository/a/b/tag/c` is the tag `c` of `a/b`. A slash at the end is ignored. Segments are decoded after they are split.
 */
export function createRouter(operations: readonly AnyOperation[]): FindRoute {
  const byFirst = Map.groupBy(operations.map(routeOf), ({ segments }) => segments[0] ?? "");
  for (const routes of byFirst.values()) routes.sort(moreSpecific);
  return (method, path) => {
    const segments = decodeSegments(path);
    if (segments === undefined) return { kind: "unknown" };
    const matches = (byFirst.get(segments[0] ?? "") ?? []).flatMap((route) => {
      const params = match(route, segments);
      return params === undefined ? [] : [{ operation: route.operation, params }];
    });
    const [best] = matches;
    if (best === undefined) return { kind: "unknown" };
    const samePath = matches.filter(({ operation }) => templateOf(operation) === templateOf(best.operation));
    const found = samePath.find(({ operation }) => operation.method === method);
    if (found !== undefined) return { kind: "found", match: found };
    return { kind: "wrong-method", allowed: samePath.map(({ operation }) => operation.method) };
  };
}

function templateOf({ path }: AnyOperation): string {
  return path.replace(/\/$/, "");
}

function routeOf(operation: AnyOperation): Route {
  const segments = operation.path.split("/").filter((segment) => segment !== "");
  return { operation, segments, repositoryAt: segments.indexOf("{repository}") };
}

function moreSpecific(one: Route, other: Route): number {
  return other.segments.length - one.segments.length || (shape(one) < shape(other) ? -1 : 1);
}

/** Sorts literal segments before parameters, the first difference first. */
function shape({ segments }: Route): string {
  return segments.map((segment) => (segment.startsWith("{") ? "1" : "0")).join("");
}

function match({ segments, repositoryAt }: Route, given: readonly string[]): Record<string, string> | undefined {
  const surplus = given.length - segments.length;
  if (surplus < 0 || (surplus > 0 && repositoryAt < 0)) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const at = repositoryAt >= 0 && index > repositoryAt ? index + surplus : index;
    const value = index === repositoryAt ? given.slice(index, index + surplus + 1).join("/") : given[at];
    if (value === undefined || value === "") return undefined;
    if (segment.startsWith("{")) params[segment.slice(1, -1)] = value;
    else if (segment !== value) return undefined;
  }
  return params;
}

function decodeSegments(path: string): readonly string[] | undefined {
  try {
    const segments = path.split("/").map((segment) => (segment.includes("%") ? decodeURIComponent(segment) : segment));
    if (segments.some((segment) => segment.includes("\0"))) return undefined; // no name has it, and PostgreSQL no text
    while (segments.at(-1) === "") segments.pop();
    return segments[0] === "" ? segments.slice(1) : segments;
  } catch {
    return undefined;
  }
}
