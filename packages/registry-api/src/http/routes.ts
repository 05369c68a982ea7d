import { remember } from "@plimsoll/http";
import type { AnyOperation } from "../operation.ts";
import { isPathText } from "./check-texts.ts";

/** An operation and the parts of the path that led to it. */
export interface RouteMatch {
  readonly operation: AnyOperation;
  readonly params: Readonly<Record<string, string>>;
}

/** What is known of a path. */
export type RouteResult =
  | { readonly kind: "found"; readonly match: RouteMatch }
  /** The path exists with other methods. */
  | { readonly kind: "wrong-method"; readonly others: readonly AnyOperation[] }
  | { readonly kind: "unknown" };

/** Finds operations by method and path. */
export type FindRoute = (method: string, path: string) => RouteResult;

/** A path with all its operations. */
interface Path {
  readonly length: number;
  /** `0` for each literal segment and `1` for each parameter: literal ones come first, the first difference first. */
  readonly shape: string;
  /** Where the repository stands, whose name may have slashes; -1 where there is none. */
  readonly repositoryAt: number;
  readonly literals: readonly Segment[];
  readonly params: readonly Segment[];
  readonly byMethod: ReadonlyMap<string, AnyOperation>;
}

/** A literal text, or the name of a parameter, and where it stands. */
interface Segment {
  readonly index: number;
  readonly text: string;
}

/**
 * A router for paths with repository names: what follows the name decides which operation it is, the longest match first, so
 * `repository/a/b/tag/c` is the tag `c` of `a/b`. A slash at the end is ignored. Segments are decoded after they are split.
 */
export function createRouter(operations: readonly AnyOperation[]): FindRoute {
  const paths = [...Map.groupBy(operations, templateOf)].map(([template, group]) => pathOf(template, group));
  const byFirst = Map.groupBy(paths.sort(moreSpecific), firstSegment);
  const find = (path = ""): PathMatch | undefined => {
    const given = decodeSegments(path);
    if (given === undefined) return undefined;
    for (const candidate of byFirst.get(given[0] ?? "") ?? []) {
      const params = match(candidate, given);
      if (params !== undefined) return { byMethod: candidate.byMethod, params: Object.freeze(params) };
    }
    return undefined;
  };
  const findPath = remember(find); // the same few are asked for again and again
  return (method, path) => {
    const found = findPath(path);
    if (found === undefined) return { kind: "unknown" };
    const { byMethod, params } = found;
    const operation = byMethod.get(method);
    if (operation !== undefined) return { kind: "found", match: { operation, params } };
    return { kind: "wrong-method", others: [...byMethod.values()] };
  };
}

/** The operations of a path, and its parts; others are given the same. */
type PathMatch = Pick<Path, "byMethod"> & Pick<RouteMatch, "params">;

function templateOf({ path }: AnyOperation): string {
  return path.replace(/\/$/, "");
}

function pathOf(template: string, operations: readonly AnyOperation[]): Path {
  const segments = template.split("/").filter((segment) => segment !== "");
  const all = segments.map((segment, index) => ({
    index,
    text: segment.replace(/[{}]/g, ""),
    isParam: segment[0] === "{",
  }));
  return {
    length: segments.length,
    shape: all.map(({ isParam }) => Number(isParam)).join(""),
    repositoryAt: segments.indexOf("{repository}"),
    literals: all.filter(({ isParam }) => !isParam),
    params: all.filter(({ isParam }) => isParam),
    byMethod: new Map(operations.map((operation) => [operation.method, operation])),
  };
}

function firstSegment({ literals }: Path): string {
  return literals[0]?.text ?? "";
}

function moreSpecific(one: Path, other: Path): number {
  return other.length - one.length || (one.shape < other.shape ? -1 : 1);
}

function match(
  { length, repositoryAt, literals, params }: Path,
  given: readonly string[],
): Record<string, string> | undefined {
  const surplus = given.length - length;
  if (surplus < 0 || (surplus > 0 && repositoryAt < 0)) return undefined;
  const at = (index: number) => (surplus > 0 && index > repositoryAt ? index + surplus : index);
  for (const { index, text } of literals) {
    if (given[at(index)] !== text) return undefined;
  }
  const found: Record<string, string> = {};
  for (const { index, text } of params) {
    const value = index === repositoryAt ? given.slice(index, index + surplus + 1).join("/") : given[at(index)];
    if (value === undefined || value === "") return undefined;
    found[text] = value;
  }
  return found;
}

function decodeSegments(path: string): readonly string[] | undefined {
  try {
    const given = path.split("/");
    const segments = path.includes("%") ? given.map(decodeURIComponent) : given;
    if (!segments.every(isPathText)) return undefined;
    while (segments.at(-1) === "") segments.pop();
    return segments[0] === "" ? segments.slice(1) : segments;
  } catch {
    return undefined;
  }
}
