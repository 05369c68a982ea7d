/**
 * npm's lock file, versions 1 to 3:
 *
 * ```
 * 1:   { dependencies: { NAME: { version, dev?, dependencies? … } } }
 * 2/3: { packages: { "node_modules/NAME": { version, name?, dev?, devOptional?, optional?, os?, cpu?, link? … } } }
 * ```
 * @see https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json
 */

import { joinPath, parentOf } from "../../../layer/paths.ts";
import { isObject, type JsonObject, textOf } from "../../../model/json-object.ts";
import type { Json } from "../../../model/json-value.ts";
import type { FileDetector } from "../../../plugins/detector.ts";
import { findMembers, type Need } from "../../language/dependency-uses.ts";
import { readJson } from "../../language/json-file.ts";
import { type LockedPackage, lockFileDetector, maxLockFileBytes } from "../../language/lock-file.ts";
import { isHiddenLockFile } from "../evidence.ts";
import { isForSomePlatforms } from "./for-some-platforms.ts";

const folder = "node_modules/";
const files: ReadonlySet<string> = new Set(["package-lock.json", "npm-shrinkwrap.json"]);

const lockFile = lockFileDetector({
  name: "npm-package-lock",
  revision: 4,
  isNamed: (file) => files.has(file),
  *read(file) {
    const json = readJson(file, maxLockFileBytes);
    if (!isObject(json)) return;
    if (isObject(json.packages)) yield* installedIn(json.packages);
    else yield* dependenciesOf(json);
  },
});

/** Reads `package-lock.json`, `npm-shrinkwrap.json`, and `.package-lock.json` in a folder of packages. */
export const packageLockDetector: FileDetector = {
  ...lockFile,
  wants: (info) => lockFile.wants(info) || isHiddenLockFile(info.path),
  detect: (file) => (isHiddenLockFile(file.path) ? [] : lockFile.detect(file)), // the packages are beside it
};

function* installedIn(packages: JsonObject): Iterable<LockedPackage> {
  const membersOf = membersIn(packages);
  for (const [path, entry] of Object.entries(packages)) {
    const at = path.lastIndexOf(folder);
    if (at < 0 || !isObject(entry) || entry.link === true) continue;
    const neededBy = membersOf?.(path);
    for (const locked of lockedOf(textOf(entry.name) || path.slice(at + folder.length), entry))
      yield { ...locked, neededBy };
  }
}

/** Which members of the workspace need an entry. An entry that is no folder of packages is a member; the root has an empty path. */
function membersIn(packages: JsonObject): ReturnType<typeof findMembers> {
  const needsAt = (path: string) => needsOf(packages, path);
  const paths = Object.keys(packages).filter((path) => !path.includes(folder));
  const members = paths.map((path) => ({ path: joinPath(path, "package.json"), needs: needsAt(path) }));
  return findMembers(members, needsAt);
}

/** What an entry needs, by the paths of other entries. A link leads to a member. */
function needsOf(packages: JsonObject, path: string): readonly Need[] {
  const entry = packages[path];
  if (!isObject(entry)) return [];
  if (entry.link === true) return [{ key: textOf(entry.resolved), isCertain: true }];
  const optional = isObject(entry.peerDependenciesMeta) ? entry.peerDependenciesMeta : {};
  return (["dependencies", "peerDependencies", "optionalDependencies"] as const).flatMap((kind) =>
    Object.keys(isObject(entry[kind]) ? entry[kind] : {}).flatMap((name) => {
      const key = placeOf(packages, path, name);
      const isCertain = kind === "dependencies" || (kind === "peerDependencies" && optional[name] === undefined);
      return key === undefined ? [] : [{ key, isCertain }];
    }),
  );
}

/** The most characters of a path, each of which costs time for every name that is looked for from there. */
const maxPathLength = 2000;

/** Where Node.js finds a package: in `node_modules` of the folder, or of one above it. */
function placeOf(packages: JsonObject, path: string, name: string): string | undefined {
  if (path.length > maxPathLength) return undefined;
  for (let above = path; ; above = parentOf(above)) {
    const place = joinPath(above, `${folder}${name}`);
    if (Object.hasOwn(packages, place)) return place;
    if (above === "") return undefined;
  }
}

/** All nested dependencies. Not recursive, because the file determines the nesting depth. */
function* dependenciesOf(root: JsonObject): Iterable<LockedPackage> {
  const left: (Json | undefined)[] = [root.dependencies];
  for (let level = left.pop(); level !== undefined; level = left.pop()) {
    for (const [name, entry] of Object.entries(isObject(level) ? level : {})) {
      if (!isObject(entry)) continue;
      yield* lockedOf(name, entry);
      if (entry.dependencies !== undefined) left.push(entry.dependencies);
    }
  }
}

/** The package of an entry. In version 1, `version` may name another package, `npm:debug@2.6.9`, or a place, which is left out. */
function* lockedOf(name: string, entry: JsonObject): Iterable<LockedPackage> {
  const { version, dev, resolved } = entry;
  const text = textOf(version);
  const alias = /^npm:(.+)@([^@]+)$/.exec(text);
  const isOptional = [entry.optional, entry.devOptional].includes(true) || isForSomePlatforms(entry);
  const locked = { name: alias?.[1] ?? name, version: alias?.[2] ?? text, isDevelopment: dev === true, isOptional };
  if (/^\d/.test(locked.version)) yield locked;
  else if (/^(?:git|https?:)/.test(text || textOf(resolved))) yield { ...locked, version: "", isUnpublished: true };
}
