import type { UnassessedKind } from "../model/index-report.ts";
import { pluginsByName } from "../plugins/plugins-by-name.ts";
import { extensionKinds, lockFileEndings, lockFileKind, type NameRule, nameRules } from "./rules.ts";

/**
 * The kind of packages whose presence the path of a file shows, although no detector reads them; undefined for most
 * files. Each package counts once, by the file that describes it.
 */
export function findFileEvidence(path: string): UnassessedKind | undefined {
  if (!mayBeEvidence(path)) return undefined;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const rules = nameRules.get(name);
  if (rules !== undefined) return findByName(rules, path);
  const lock = lockFileKind(name);
  if (lock !== undefined) return isOfDependency(path) ? undefined : lock;
  const dot = name.lastIndexOf(".");
  const found = dot > 0 ? extensionKinds.get(name.slice(dot + 1).toLowerCase()) : undefined;
  return found?.find(({ where, unless }) => where?.test(path) !== false && unless?.test(path) !== true)?.kind;
}

/** Whether a path ends like the name or the extension of a rule; nearly none does. */
const mayBeEvidence = (() => {
  const extensions = Array.from(extensionKinds.keys(), (extension) => `.${extension}`);
  const rulesFor = pluginsByName([{ names: { endings: [...nameRules.keys(), ...lockFileEndings, ...extensions] } }]);
  return (path: string) => rulesFor(path).length > 0;
})();

function findByName(rules: readonly NameRule[], path: string): UnassessedKind | undefined {
  return rules.find(({ where, unless }) => where.test(path) && unless?.test(path) !== true)?.kind;
}

/** Folders of installed packages, of caches of package managers, and of the sources of Go itself. */
const ofDependencies =
  /(?:^|\/)(?:node_modules|site-packages|dist-packages|gems|pkg\/mod|\.cargo\/(?:registry|git)|vendor\/[^/]+|deps\/[^/]+|\.nuget\/packages|\.pub-cache|\.build\/checkouts)\/|^usr\/(?:local|lib|share)\/go[^/]*\/src\//;

/** Whether a path is in a folder of installed packages. A lock file there lists what the package's authors used, not what is installed. */
export function isOfDependency(path: string): boolean {
  return ofDependencies.test(path);
}
