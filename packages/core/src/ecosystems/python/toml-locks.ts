/**
 * The lock files of Python's tools in TOML:
 *
 * ```
 * poetry.lock: [[package]] name, version, optional?, category?, groups?, markers?     [package.dependencies] NAME = …     [package.source] type
 * pdm.lock:    [[package]] name, version, groups?, marker?, dependencies = ["NAME; MARKER", …]
 * uv.lock:     [[package]] name, version, source, resolution-markers?, dependencies = [{ name, version?, extra?, marker? }, …]
 *              [package.optional-dependencies] and [package.dev-dependencies]: GROUP = [{ name, … }, …]
 * pylock.toml: [[packages]] name, version, marker?     [packages.directory], if it is not inline
 * ```
 * @see https://packaging.python.org/en/latest/specifications/pylock-toml/
 */

import { joinPath, targetPath } from "../../layer/paths.ts";
import type { LockFileEntry } from "../../plugins/detector.ts";
import { findMembers, findUses, type Need, type Use } from "../language/dependency-uses.ts";
import type { LockedPackage } from "../language/lock-file.ts";
import { type TomlTable, tomlInlineTables, tomlTables, tomlText, tomlTexts } from "../language/toml-tables.ts";
import { evaluateMarker, type Truth } from "./markers.ts";

/** A package with the tables that follow it: `dependencies` of `[package.dependencies]`. */
interface LockedTables {
  readonly main: TomlTable;
  readonly parts: ReadonlyMap<string, TomlTable>;
}

/** Groups of packages that a program needs, and names of groups that only its developers need. Any other group is a choice: `web`, `prod`. */
const runtimeGroups: ReadonlySet<string> = new Set(["default", "main"]);
const developmentGroup =
  /^(?:bench|build|ci|cover|debug|dev|doc|example|format|lint|local|mypy|notebook|pre-?commit|profil|release|style|test|tool|typ)/i;

/** The packages of a lock file in TOML. Those of the project itself are left out. */
export function* lockedInToml(text: string, file: string): Iterable<LockedPackage> {
  const tables = [...packagesIn(text)];
  const uses = file === "uv.lock" ? uvUses(tables.map(uvPackageOf)) : undefined;
  const elsewhere = onlyElsewhere(tables);
  for (const [index, found] of tables.entries()) {
    const [name, version] = [tomlText(found.main, "name"), tomlText(found.main, "version")];
    if (name === "" || version === "" || isOwn(found)) continue;
    const onlyThere = elsewhere.has(normalizedName(name)) ? "optional" : undefined;
    const { use, neededBy } = uses?.[index] ?? { use: onlyThere };
    const isDevelopment = use === "development" || isForDevelopment(found);
    yield { name, version, isDevelopment, isOptional: use === "optional" || isOptional(found), neededBy };
  }
}

function* packagesIn(text: string): Iterable<LockedTables> {
  let found: { main: TomlTable; parts: Map<string, TomlTable> } | undefined;
  for (const table of tomlTables(text)) {
    const [, of, part] = /^(packages?)(?:\.([\w-]+))?$/.exec(table.name) ?? [];
    if (of !== undefined && part === undefined) {
      if (found !== undefined) yield found;
      found = { main: table, parts: new Map() };
    } else if (part !== undefined && found !== undefined && !found.parts.has(part)) found.parts.set(part, table);
  }
  if (found !== undefined) yield found;
}

const ownSource = /\b(?:editable|virtual|directory)\s*=/;

/** Whether a package is a part of the project itself. */
function isOwn({ main: { members }, parts }: LockedTables): boolean {
  const source = parts.get("source");
  const isFolder = source !== undefined && tomlText(source, "type") === "directory";
  return ownSource.test(members.get("source") ?? "") || members.has("directory") || parts.has("directory") || isFolder;
}

/** Whether a package is an option of the project, or is for other platforms or chosen processors only. */
function isOptional({ main }: LockedTables): boolean {
  const groups = tomlTexts(main, "groups");
  if (groups.length > 0 && !groups.some((group) => runtimeGroups.has(group))) return true;
  return main.members.get("optional") === "true" || markersOf(main).some((each) => evaluateMarker(each) !== true);
}

/** Of a table of markers by group, none: each group has its own. */
function markersOf(table: TomlTable): readonly string[] {
  const forks = tomlTexts(table, "resolution-markers").map(plain);
  const own = ["marker", "markers"].map((name) => plain(tomlText(table, name))).filter((text) => text !== "");
  return forks.length > 0 ? [...own, forks.map((each) => `(${each})`).join(" or ")] : own;
}

/** TOML escapes the quotes that markers have. */
function plain(text: string): string {
  return text.replaceAll('\\"', '"');
}

function isForDevelopment({ main }: LockedTables): boolean {
  const groups = tomlTexts(main, "groups");
  if (groups.length > 0) return groups.every((group) => developmentGroup.test(group) && !runtimeGroups.has(group));
  if (tomlText(main, "category") === "dev") return true;
  return markersOf(main).some(isOfDevelopmentGroups);
}

/** Whether a marker holds only if groups are chosen that developers need. */
function isOfDevelopmentGroups(marker: string): boolean {
  if (evaluateMarker(marker) !== false || evaluateMarker(marker, { groups: "all" }) === false) return false;
  return [...marker.matchAll(/["']([^"']*)["']\s+in\s+dependency_groups/g)].every(([, group = ""]) =>
    developmentGroup.test(group),
  );
}

/** The names of packages that others need, each of them only on other platforms or as an option. */
function onlyElsewhere(tables: readonly LockedTables[]): ReadonlySet<string> {
  const needed = new Map<string, boolean>();
  for (const found of tables) {
    for (const [name, truth] of needsOf(found)) {
      const key = normalizedName(name);
      needed.set(key, (needed.get(key) ?? true) && truth !== true);
    }
  }
  return new Set([...needed].flatMap(([name, isElsewhere]) => (isElsewhere ? [name] : [])));
}

/** What a package of Poetry or PDM needs: names, and whether it needs them on Linux. */
function* needsOf({ main, parts }: LockedTables): Iterable<readonly [string, Truth]> {
  for (const text of tomlTexts(main, "dependencies").map(plain)) {
    const [requirement = "", ...marker] = text.split(";");
    const name = /^[\w.-]+/.exec(requirement.trim())?.[0];
    if (name !== undefined) yield [name, marker.length === 0 ? true : evaluateMarker(marker.join(";"))];
  }
  for (const [name, value] of parts.get("dependencies")?.members ?? []) {
    const forms = tomlInlineTables(value);
    if (forms.length === 0) yield [name, true];
    for (const form of forms) yield [name, truthOf(form)];
  }
}

function truthOf(form: TomlTable): Truth {
  const marker = plain(tomlText(form, "markers"));
  if (marker !== "") return evaluateMarker(marker);
  return form.members.get("optional") === "true" ? undefined : true;
}

function uvPackageOf(found: LockedTables): UvPackage {
  const { main, parts } = found;
  const listsOf = (part: string) =>
    [...(parts.get(part)?.members ?? [])].map(
      ([group, value]) => [group, tomlInlineTables(value).map(needOf)] as const,
    );
  return {
    name: normalizedName(tomlText(main, "name")),
    version: tomlText(main, "version"),
    isOwn: isOwn(found),
    folder: folderOf(main),
    needs: tomlInlineTables(main.members.get("dependencies") ?? "").map(needOf),
    options: new Map(listsOf("optional-dependencies")),
  };
}

/** The folder in `source = { editable = "packages/api" }`. */
function folderOf({ members }: TomlTable): string {
  const [source] = tomlInlineTables(members.get("source") ?? "");
  const stated = ["editable", "virtual", "directory"].map((kind) =>
    source === undefined ? "" : tomlText(source, kind),
  );
  return stated.find((folder) => folder !== "") ?? "";
}

function needOf(form: TomlTable): UvPackage["needs"][number] {
  const marker = plain(tomlText(form, "marker"));
  return {
    name: normalizedName(tomlText(form, "name")),
    version: tomlText(form, "version"),
    extras: tomlTexts(form, "extra"),
    isCertain: marker === "" || evaluateMarker(marker) === true,
  };
}

/** @see https://packaging.python.org/en/latest/specifications/name-normalization/ */
function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

/** A package of `uv.lock` as a part of the graph of dependencies. */
interface UvPackage {
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
interface UvNeed {
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
interface UvUse {
  readonly use: Use;
  readonly neededBy: LockFileEntry["neededBy"];
}

/** What the project and its members need each package for, in the same order; undefined if the lock file does not say what the project needs. */
function uvUses(packages: readonly UvPackage[]): readonly UvUse[] | undefined {
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
