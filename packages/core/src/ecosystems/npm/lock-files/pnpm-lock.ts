/**
 * pnpm's lock file, versions 5 to 9. A version may be followed by peers:
 *
 * ```
 * 5: packages: { /NAME/VERSION[_PEERS]: { dev } }
 * 6: packages: { /NAME@VERSION[(PEERS)]: { dev } }
 * 9: importers: { PATH: { dependencies, optionalDependencies, devDependencies: { NAME: { version } } } }
 *    packages: { NAME@VERSION: … }     snapshots: { NAME@VERSION[(PEERS)]: { dependencies, optionalDependencies: { NAME: VERSION } } }
 * ```
 * Since version 9, a package is for development if importers reach it only through `devDependencies`.
 * @see https://github.com/pnpm/spec/blob/master/lockfile/9.0.md
 */

import { type LockedPackage, lockFileDetector } from "../../language/lock-file.ts";
import { parseYamlSubset, type YamlMap, type YamlValue, yamlMap, yamlText } from "../../language/yaml-subset.ts";
import { decodeText } from "../../linux/text.ts";

const runtimeKinds = ["dependencies", "optionalDependencies"] as const;

/** Reads `pnpm-lock.yaml`. */
export const pnpmLockDetector = lockFileDetector({
  name: "pnpm-lock",
  isNamed: (file) => file === "pnpm-lock.yaml",
  *read(file) {
    const lock = parseYamlSubset(decodeText(file.bytes));
    const formVersion = Number.parseInt(yamlText(lock.get("lockfileVersion")), 10);
    const snapshots = yamlMap(lock.get("snapshots"));
    const reached = lock.has("snapshots") ? reachedAtRuntime(lock) : undefined;
    for (const [key, entry] of yamlMap(lock.get("packages"))) {
      const found = formVersion < 6 ? splitAtSlash(key) : splitAtSign(key);
      const isMarked = yamlText(yamlMap(entry).get("dev")) === "true";
      const isDevelopment = reached === undefined ? isMarked : !reached.has(`${found?.name}@${found?.version}`);
      const isOptional = [entry, snapshots.get(key)].some((each) => yamlText(yamlMap(each).get("optional")) === "true");
      if (found !== undefined) yield { ...found, isDevelopment, isOptional };
      else if (!/^(?:.[^@]*@)?(?:file|link):/.test(key)) {
        yield {
          name: yamlText(yamlMap(entry).get("name")) || key.replace(/(?!^)@.*/, ""),
          version: "",
          isUnpublished: true,
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
