import { remember } from "@plimsoll/core/internal/remember";
import type { Reading } from "./exchange.ts";
import type { Operation } from "./operation.ts";

/** The result of routing a path. */
export type RouteResult<Each> =
  /** `others` are the ways in which the path can be read, too, with another value of the spanning parameter. */
  | (Reading<Each> & { readonly kind: "found"; readonly others: readonly Reading<Each>[] })
  /** The path exists with other methods. */
  | { readonly kind: "wrong-method"; readonly others: readonly Each[] }
  | { readonly kind: "unknown" };

/** Finds operations by method and path. */
export type FindRoute<Each> = (method: string, path: string) => RouteResult<Each>;

/** Options of {@link createRouter}. */
export interface RouterOptions {
  /** The parameter whose value may have slashes. */
  readonly spanning: string;
  /** Whether a text can be a value of the spanning parameter. Without it, a path is not read in other ways than the best one. */
  readonly isSpanned?: (text: string) => boolean;
  /** Whether a decoded segment may be part of a path. */
  readonly isSegment: (segment: string) => boolean;
  /** Whether a slash at the end is ignored. If not, a template that ends with a slash matches paths with and without it. */
  readonly ignoresTrailingSlash: boolean;
}

/** A path with all its operations. */
interface Path<Each> {
  readonly length: number;
  /** `0` for each literal segment and `1` for each parameter. Sorting by it puts literal segments first. */
  readonly shape: string;
  /** The index of the spanning parameter; -1 without one. */
  readonly spanningAt: number;
  readonly mayEndInSlash: boolean;
  readonly literals: readonly Segment[];
  readonly params: readonly Segment[];
  readonly byMethod: ReadonlyMap<string, Each>;
}

/** A literal text, or the name of a parameter, with its index. */
interface Segment {
  readonly index: number;
  readonly text: string;
}

/** The operations of a path, and its parameters. Cached, so the same object is returned for the same path. */
interface PathMatch<Each> {
  readonly byMethod: ReadonlyMap<string, Each>;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Creates a router for paths with one parameter that may have slashes, such as names of repositories. What follows the name selects the
 * operation, the longest match first: `repository/a/b/tag/c` is the tag `c` of `a/b`; that it could be the repository `a/b/tag/c`, too,
 * is in `others`. Segments are decoded after splitting: with `%2F` for its slashes, a name is one segment, and the path can be read in one
 * way only.
 * @example
 * declare const operations: readonly Operation[];
 * const find = createRouter(operations, {
 *   spanning: "repository",
 *   isSpanned: (text) => text.includes("/"),
 *   isSegment: (segment) => segment !== "..",
 *   ignoresTrailingSlash: true,
 * });
 * const route = find("GET", "/repository/acme/app/tag/latest");
 * if (route.kind === "found") console.log(route.operation.id, route.params.repository);
 */
export function createRouter<Each extends Operation>(
  operations: readonly Each[],
  options: RouterOptions,
): FindRoute<Each> {
  const groups = Map.groupBy(operations, ({ path }) => path.replace(/\/$/, ""));
  const paths = [...groups].map(([template, group]) => pathOf(template, group, options));
  const byFirst = Map.groupBy(paths.sort(moreSpecific), firstSegment);
  const find = (path = ""): readonly PathMatch<Each>[] => {
    const given = decodeSegments(path, options);
    if (given === undefined) return [];
    const first = given.segments[0] ?? "";
    const candidates = byFirst.get(first) ?? [];
    const others = first === "" ? [] : (byFirst.get("") ?? []); // templates that begin with a parameter
    return differentMatches([...candidates, ...others], given, options);
  };
  const findPath = remember(find); // most requests use few paths
  return (method, path) => {
    const matches = findPath(path) ?? [];
    const [found] = matches;
    if (found === undefined) return { kind: "unknown" };
    const { byMethod, params } = found;
    const operation = byMethod.get(method);
    if (operation === undefined) return { kind: "wrong-method", others: [...byMethod.values()] };
    return { kind: "found", operation, params, others: otherReadings(matches, method) };
  };
}

/** The best match, and other matches with another value of the spanning parameter. */
function differentMatches<Each extends Operation>(
  candidates: readonly Path<Each>[],
  { segments, endsInSlash }: GivenPath,
  { spanning, isSpanned = isNever }: RouterOptions,
): readonly PathMatch<Each>[] {
  const found: PathMatch<Each>[] = [];
  const values = new Set<string | undefined>();
  for (const candidate of candidates) {
    if (endsInSlash && !candidate.mayEndInSlash) continue;
    if (found.length > 0 && candidate.spanningAt < 0) continue;
    const params = match(candidate, segments);
    const value = params?.[spanning];
    if (params === undefined || values.has(value)) continue;
    if (found.length > 0 && (value === undefined || !isSpanned(value))) continue;
    found.push({ byMethod: candidate.byMethod, params: Object.freeze(params) });
    values.add(value);
  }
  return found;
}

function isNever(): boolean {
  return false;
}

const none: readonly never[] = [];

function otherReadings<Each>(matches: readonly PathMatch<Each>[], method: string): readonly Reading<Each>[] {
  if (matches.length === 1) return none;
  return matches.slice(1).flatMap(({ byMethod, params }) => {
    const operation = byMethod.get(method);
    return operation === undefined ? [] : [{ operation, params }];
  });
}

function pathOf<Each extends Operation>(
  template: string,
  operations: readonly Each[],
  { spanning, ignoresTrailingSlash }: RouterOptions,
): Path<Each> {
  const segments = template.split("/").filter((segment) => segment !== "");
  const all = segments.map((segment, index) => ({
    index,
    text: segment.replace(/[{}]/g, ""),
    isParam: segment[0] === "{",
  }));
  return {
    length: segments.length,
    shape: all.map(({ isParam }) => Number(isParam)).join(""),
    spanningAt: segments.indexOf(`{${spanning}}`),
    mayEndInSlash: ignoresTrailingSlash || operations.some(({ path }) => path.endsWith("/")),
    literals: all.filter(({ isParam }) => !isParam),
    params: all.filter(({ isParam }) => isParam),
    byMethod: new Map(operations.map((operation) => [operation.method, operation])),
  };
}

/** Empty for templates that begin with a parameter, or have no segments. */
function firstSegment<Each>({ literals: [first] }: Path<Each>): string {
  return first?.index === 0 ? first.text : "";
}

function moreSpecific<Each>(one: Path<Each>, other: Path<Each>): number {
  return other.length - one.length || (one.shape < other.shape ? -1 : 1);
}

function match<Each>(
  { length, spanningAt, literals, params }: Path<Each>,
  given: readonly string[],
): Record<string, string> | undefined {
  const surplus = given.length - length;
  if (surplus < 0 || (surplus > 0 && spanningAt < 0)) return undefined;
  if (surplus > 0 && given[spanningAt]?.includes("/")) return undefined; // the whole name, with escaped slashes
  const at = (index: number) => (surplus > 0 && index > spanningAt ? index + surplus : index);
  for (const { index, text } of literals) {
    if (given[at(index)] !== text) return undefined;
  }
  const found: Record<string, string> = {};
  for (const { index, text } of params) {
    const value = index === spanningAt ? given.slice(index, index + surplus + 1).join("/") : given[at(index)];
    if (value === undefined || value === "") return undefined;
    found[text] = value;
  }
  return found;
}

interface GivenPath {
  readonly segments: readonly string[];
  readonly endsInSlash: boolean;
}

function decodeSegments(path: string, { isSegment, ignoresTrailingSlash }: RouterOptions): GivenPath | undefined {
  try {
    const given = path.replace(/^\//, "").split("/");
    const segments = path.includes("%") ? given.map(decodeURIComponent) : given;
    if (!segments.every(isSegment)) return undefined;
    const count = segments.length;
    while (segments.at(-1) === "") segments.pop();
    const slashes = count - segments.length;
    return slashes > 1 && !ignoresTrailingSlash ? undefined : { segments, endsInSlash: slashes > 0 };
  } catch {
    return undefined;
  }
}
