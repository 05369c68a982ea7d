import { joinPath, targetPath } from "../../layer/paths.ts";
import type { LockFileEntry } from "../../plugins/detector.ts";
import { findMembers, findUses, type Need, type Use } from "../language/dependency-uses.ts";

/** A package of `uv.lock` as a part of the graph of dependencies. */
export interface UvPackage {
  /** Normalized. */
  readonly name: string;
  readonly version: string;
  /** Whether it is a part of the project itself. */
  readonly isOwn: boolean;
  /** The folder of such a part, relative to that of the file: `.`, `packages/api`. Empty if the file does not say. */
  readonly folder: string;
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

/** What a lock file says about one package. */
export interface UvUse {
  readonly use: Use;
  readonly neededBy: LockFileEntry["neededBy"];
}

/** What the project and its members need each package for, in the same order; undefined if the lock file does not say what the project needs. */
export function uvUses(packages: readonly UvPackage[]): readonly UvUse[] | undefined {
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
  const needsOf = (key: string) => (needs.get(key) ?? []).flatMap(keysOf);
  const members = own.map(({ folder, needs }) => ({ path: descriptionIn(folder), needs: needs.flatMap(keysOf) }));
  const useOf = findUses(first, needsOf);
  const membersOf = own.some(({ folder }) => folder === "") ? undefined : findMembers(members, needsOf);
  return packages.map((each) => ({ use: useOf(keyOf(each)), neededBy: membersOf?.(keyOf(each)) }));
}

function descriptionIn(folder: string): string {
  return joinPath(targetPath("", folder), "pyproject.toml");
}

function keyOf({ name, version }: Pick<UvPackage, "name" | "version">, extra = ""): string {
  return JSON.stringify([name, version, extra]);
}
