/**
 * pnpm's lock file, versions 5 to 9. A version may be followed by peers:
 *
 * ```
 * 5: packages: { /NAME/VERSION[_PEERS]: NEEDS + { dev } }
 * 6: packages: { /NAME@VERSION[(PEERS)]: NEEDS + { dev } }
 * 9: packages: { NAME@VERSION: … }     snapshots: { NAME@VERSION[(PEERS)]: NEEDS }
 * all: importers: { PATH: { dependencies, optionalDependencies, devDependencies: { NAME: VERSION | { version } } } }, of a workspace; since 9 always
 * NEEDS = { dependencies, optionalDependencies: { NAME: VERSION } }     VERSION may be the key of an alias, or the path of a member: "link:" PATH
 * ```
 * Since version 9, a package is for development if importers reach it only through `devDependencies`.
 * @see https://github.com/pnpm/spec/blob/master/lockfile/9.0.md
 */

import { joinPath, targetPath } from "../../../layer/paths.ts";
import { findMembers, type Need } from "../../language/dependency-uses.ts";
import { type LockedPackage, lockFileDetector } from "../../language/lock-file.ts";
import { parseYamlSubset, type YamlMap, type YamlValue, yamlMap, yamlText } from "../../language/yaml-subset.ts";
import { decodeText } from "../../linux/text.ts";

const runtimeKinds = ["dependencies", "optionalDependencies"] as const;

/** Reads `pnpm-lock.yaml`. */
export const pnpmLockDetector = lockFileDetector({
  name: "pnpm-lock",
  revision: 2,
  isNamed: (file) => file === "pnpm-lock.yaml",
  *read(file) {
    const lock = parseYamlSubset(decodeText(file.bytes));
    const formVersion = Number.parseInt(yamlText(lock.get("lockfileVersion")), 10);
    const snapshots = yamlMap(lock.get("snapshots"));
    const reached = lock.has("snapshots") ? reachedAtRuntime(lock) : undefined;
    const membersOf = membersIn(lock, formVersion);
    for (const [key, entry] of yamlMap(lock.get("packages"))) {
      const found = formVersion < 6 ? splitAtSlash(key) : splitAtSign(key);
      const isMarked = yamlText(yamlMap(entry).get("dev")) === "true";
      const isDevelopment = reached === undefined ? isMarked : !reached.has(`${found?.name}@${found?.version}`);
      const neededBy = membersOf?.(lock.has("snapshots") ? withoutPeers(key) : key);
      const isOptional = [entry, snapshots.get(key)].some((each) => yamlText(yamlMap(each).get("optional")) === "true");
      if (found !== undefined) yield { ...found, isDevelopment, isOptional, neededBy };
      else if (!/^(?:.[^@]*@)?(?:file|link):/.test(key)) {
        yield {
          name: yamlText(yamlMap(entry).get("name")) || key.replace(/(?!^)@.*/, ""),
          version: "",
          isUnpublished: true,
          neededBy,
        };
      }
    }
  },
});

function splitAtSlash(key: string): LockedPackage | undefined {
  const path = key.replace(/^\//, "");
  const at = path.lastIndexOf("/");
  return packageOf(
    path.slice(0, Math.max(0, at)),
    path
      .slice(at + 1)
      .split(/[_(]/, 1)
      .join(""),
  );
}

function splitAtSign(key: string): LockedPackage | undefined {
  const path = withoutPeers(key.replace(/^\//, ""));
  const at = path.lastIndexOf("@");
  return packageOf(path.slice(0, Math.max(0, at)), path.slice(at + 1));
}

/** Undefined for a package that is not from a registry: its version is an address or a path. */
function packageOf(name: string, version: string): LockedPackage | undefined {
  return name !== "" && /^\d[^/:]*$/.test(version) ? { name, version } : undefined;
}

function withoutPeers(text: string): string {
  const at = text.indexOf("(");
  return at < 0 ? text : text.slice(0, at);
}

/** The packages that importers need at run time, directly or indirectly, without their peers. */
function reachedAtRuntime(lock: YamlMap): ReadonlySet<string> {
  const snapshots = yamlMap(lock.get("snapshots"));
  const left = [...yamlMap(lock.get("importers")).values()].flatMap(neededBy);
  const seen = new Set<string>();
  for (let key = left.pop(); key !== undefined; key = left.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    for (const needed of neededBy(snapshots.get(key))) left.push(needed);
  }
  return new Set([...seen].map(withoutPeers));
}

/** The keys of the snapshots that an entry needs at run time. For an alias, the version is the whole key. */
function neededBy(entry: YamlValue | undefined): readonly string[] {
  return runtimeKinds.flatMap((kind) =>
    [...yamlMap(yamlMap(entry).get(kind))].map(([name, value]) => {
      const version = yamlText(value) || yamlText(yamlMap(value).get("version"));
      return withoutPeers(version).includes("@") ? version : `${name}@${version}`;
    }),
  );
}

/** Which members of the workspace need a package, by its key; since version 9 without its peers. */
function membersIn(lock: YamlMap, formVersion: number): ReturnType<typeof findMembers> {
  const hasSnapshots = lock.has("snapshots");
  const needs = new Map<string, readonly Need[]>();
  for (const [key, entry] of yamlMap(lock.get(hasSnapshots ? "snapshots" : "packages"))) {
    const bare = hasSnapshots ? withoutPeers(key) : key;
    needs.set(bare, [...(needs.get(bare) ?? []), ...needsOf(entry, { formVersion, folder: "" })]);
  }
  const members = Array.from(yamlMap(lock.get("importers")), ([path, entry]) => {
    const folder = targetPath("", path);
    const own = needsOf(entry, { formVersion, folder });
    needs.set(`link:${folder}`, own);
    return { path: joinPath(folder, "package.json"), needs: own };
  });
  return findMembers(members, (key) => needs.get(key) ?? []);
}

interface NeedsOptions {
  readonly formVersion: number;
  /** The folder of the member, to which the paths of other members are relative. */
  readonly folder: string;
}

function needsOf(entry: YamlValue | undefined, { formVersion, folder }: NeedsOptions): readonly Need[] {
  return runtimeKinds.flatMap((kind) =>
    [...yamlMap(yamlMap(entry).get(kind))].map(([name, value]) => {
      const version = yamlText(value) || yamlText(yamlMap(value).get("version"));
      const isMember = version.startsWith("link:");
      const key = isMember
        ? `link:${targetPath(folder, version.slice("link:".length))}`
        : keyOf(name, version, formVersion);
      return { key, isCertain: kind === "dependencies" };
    }),
  );
}

function keyOf(name: string, version: string, formVersion: number): string {
  if (version.startsWith("/")) return version;
  if (formVersion < 6) return `/${name}/${version}`;
  if (formVersion < 9) return `/${name}@${version}`;
  const bare = withoutPeers(version);
  return bare.includes("@") ? bare : `${name}@${bare}`;
}
