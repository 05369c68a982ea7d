import type { FileDetector, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";

/** How many packages of a lock file are kept, evenly spread over it. */
const mostKept = 64;

/**
 * The detector that reads a lock file in an image: not for packages, since it lists what may be installed, but to tell whether its packages are
 * the ones that were found. A file that cannot be read says nothing.
 * @param detector reads the same file in a folder of source code
 */
export function lockedPackages(detector: FileDetector): FileDetector {
  return {
    name: `${detector.name}-locked`,
    revision: detector.revision,
    ignoresArchives: true,
    wants: detector.wants,
    *detect(file): Iterable<Finding> {
      const names = namesIn(detector, file);
      if (names !== undefined) yield { kind: "locked", path: file.path, packages: evenlySpread(names) };
    },
  };
}

/** The packages of a lock file that are not only for development; undefined if it cannot be read. */
function namesIn(detector: FileDetector, file: LayerFile): readonly string[] | undefined {
  try {
    const found = [...detector.detect(file)].filter((finding) => finding.kind === "package");
    return found.flatMap((finding) => (finding.development === true ? [] : lockedName(finding.package)));
  } catch {
    return undefined;
  }
}

/** A name by which a package in a lock file and an installed one are equal. */
export function lockedName({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name.toLowerCase().replaceAll(/[-_.]+/g, "-")}@${version.replace(/^v(?=\d)/, "")}`;
}

function evenlySpread(names: readonly string[]): readonly string[] {
  const step = Math.max(1, names.length / mostKept);
  return Array.from({ length: Math.min(names.length, mostKept) }, (_, at) => names[Math.floor(at * step)] ?? "");
}
