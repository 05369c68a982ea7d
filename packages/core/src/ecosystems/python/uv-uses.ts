import { findUses, type Need, type Use } from "../language/dependency-uses.ts";

/** A package of `uv.lock` as a part of the graph of dependencies. */
export interface UvPackage {
  /** Normalized. */
  readonly name: string;
  readonly version: string;
  /** Whether it is a part of the project itself. */
  readonly isOwn: boolean;
  readonly needs: readonly UvNeed[];
  /** What its extras need, by their names. */
  readonly options: ReadonlyMap<string, readonly UvNeed[]>;
}

/** One package that another needs. */
export interface UvNeed {
  readonly name: string;
  /** Empty if only one version is listed. */
  readonly version: string;
  readonly extras: readonly string[];
  /** Whether it is needed on Linux, whatever is chosen. */
  readonly isCertain: boolean;
}

/** How many versions of a package are followed if a need does not say which: tools list a few, and each costs time in every need. */
const mostVersions = 20;

/** What the project needs each package for, in the same order; undefined if the lock file does not say what the project needs. */
export function uvUses(packages: readonly UvPackage[]): readonly Use[] | undefined {
  const own = packages.filter(({ isOwn }) => isOwn);
  const byName = Map.groupBy<string, Pick<UvPackage, "name" | "version">>(packages, ({ name }) => name);
  const keysOf = ({ name, version, extras, isCertain }: UvNeed): readonly Need[] =>
    (version === "" ? (byName.get(name) ?? []).slice(0, mostVersions) : [{ name, version }]).flatMap((each) =>
      ["", ...extras].map((extra) => ({ key: keyOf(each, extra), isCertain })),
    );
  const needs = new Map<string, readonly UvNeed[]>();
  for (const each of packages) {
    needs.set(keyOf(each), each.needs);
    for (const [extra, list] of each.options) needs.set(keyOf(each, extra), list);
  }
  const chosen = own
    .flatMap(({ options }) => [...options.values()].flat())
    .map((each) => ({ ...each, isCertain: false }));
  const first = [...own.flatMap((each) => each.needs), ...chosen].flatMap(keysOf);
  if (first.length === 0) return undefined;
  const useOf = findUses(first, (key) => (needs.get(key) ?? []).flatMap(keysOf));
  return packages.map((each) => useOf(keyOf(each)));
}

function keyOf({ name, version }: Pick<UvPackage, "name" | "version">, extra = ""): string {
  return JSON.stringify([name, version, extra]);
}
