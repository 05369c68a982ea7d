import { lockFiles } from "../../evidence/rules.ts";
import type { FileDetector, FileEntry, LayerFile, LockFileEntry } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";

/** How many packages of a lock file are kept, evenly spread over it. */
const mostKept = 64;

/**
 * The detector that reads lock files in an image: not for packages, since they list what may be installed, but to tell whether their packages are
 * the ones that were found. It wants only the lock files that are evidence of packages, and `go.mod`, which lists what `go.sum` is about. A file
 * that cannot be read says nothing.
 * @param detectors read the same files in a folder of source code
 */
export function lockedPackages(detectors: readonly FileDetector[]): FileDetector {
  const readersOf = (info: FileEntry) => detectors.filter(({ wants }) => wants(info));
  return {
    name: "locked-packages",
    revision: detectors.reduce((sum, { revision }) => sum + revision, 1),
    ignoresArchives: true,
    names: { endings: [...lockFiles.keys(), "go.mod"] },
    wants: (info) => isRead(info.path.slice(info.path.lastIndexOf("/") + 1)) && readersOf(info).length > 0,
    *detect(file): Iterable<Finding> {
      const info: FileEntry = { path: file.path, kind: "file", sizeBytes: file.bytes.length, mode: file.mode };
      for (const detector of readersOf(info)) {
        const listed = listedIn(detector, file);
        if (listed !== undefined) yield findingOf(file, listed);
      }
    },
  };
}

function isRead(name: string): boolean {
  return lockFiles.has(name) || name === "go.mod";
}

/** The packages of a lock file; undefined if it cannot be read. */
function listedIn(detector: FileDetector, file: LayerFile): readonly LockFileEntry[] | undefined {
  try {
    if (detector.lists !== undefined) return [...detector.lists(file)];
    const found = [...detector.detect(file)].filter((finding) => finding.kind === "package");
    return found.map((finding) => ({ ...finding.package, isDevelopment: finding.development === true }));
  } catch {
    return undefined;
  }
}

/** Optional packages count only if there are no others. */
function findingOf({ path }: LayerFile, listed: readonly LockFileEntry[]): Finding {
  const atRuntime = listed.filter(({ isDevelopment }) => isDevelopment !== true);
  const required = atRuntime.filter(({ isOptional }) => isOptional !== true);
  const names = new Set((required.length > 0 ? required : atRuntime).map(lockedName));
  const marks = atRuntime.length < listed.length ? { marksDevelopment: true as const } : {};
  return { kind: "locked", path, packages: evenlySpread([...names]), ...marks };
}

/** A name by which a package in a lock file and an installed one are equal. */
export function lockedName({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name.toLowerCase().replaceAll(/[-_.]+/g, "-")}@${version.replace(/^v(?=\d)/, "")}`;
}

function evenlySpread(names: readonly string[]): readonly string[] {
  const step = Math.max(1, names.length / mostKept);
  return Array.from({ length: Math.min(names.length, mostKept) }, (_, at) => names[Math.floor(at * step)] ?? "");
}
