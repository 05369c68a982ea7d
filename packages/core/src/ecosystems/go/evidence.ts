import type { EvidencePackage, EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/**
 * The cache of modules: `pkg/mod/PATH@VERSION/` unpacked,
 * `pkg/mod/cache/download/PATH/@v/VERSION.zip` packed. A letter in upper case is `!` and the same in
 * lower case. The programs of a toolchain in the cache are read.
 * @see https://go.dev/ref/mod#module-cache
 */
const unpacked = /^([^@]+)@(v[^/]+)\//;
const packed = /^cache\/download\/([^@]+)\/@v\/(v[^/]+)\.zip$/;
const cache = "pkg/mod/";

function moduleOf(path: string): EvidencePackage | undefined {
  const at = path.indexOf(cache);
  if (at < 0) return undefined;
  const inside = path.slice(at + cache.length);
  const [, name, version] = packed.exec(inside) ?? unpacked.exec(inside) ?? [];
  if (name === undefined || version === undefined || name === "golang.org/toolchain") return undefined;
  const plain = (text: string) => text.replaceAll(/!([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { name: plain(name), version: plain(version) };
}

/** A module once, whether it is there packed, unpacked or both. */
function cachedModule(path: string): string | undefined {
  const found = moduleOf(path);
  return found && `pkg/mod/${found.name}@${found.version}/`;
}

/** The list of the modules in a vendor folder. @see https://go.dev/ref/mod#vendoring */
export const vendoredModules = /(?:^|\/)vendor\/modules\.txt$/;

/** What shows that there are modules of Go, besides the information in programs. */
export const goEvidence: readonly EvidenceRule[] = [
  { kind: "go", mark: "go" },
  { kind: "go", folderOf: cachedModule, packageOf: moduleOf },
  { ...lockFilesNamed("go", "go.sum"), listedIn: "go.mod" },
  { ...lockFilesNamed("go", "go.work.sum"), listedIn: "go.work" },
  { ...lockFilesNamed("go", "modules.txt"), where: vendoredModules, listedIn: "../go.mod" },
  lockFilesNamed("go", "Gopkg.lock", "glide.lock"), // of dep and glide, before there were modules
];
