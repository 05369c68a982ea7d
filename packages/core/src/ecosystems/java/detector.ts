import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import type { JavaCoordinates } from "../../plugins/lookups.ts";
import { ArchiveBudget, type ArchiveLimits, defaultArchiveLimits } from "../../zip/archive-budget.ts";
import { createZipReader } from "../../zip/zip-reader.ts";
import { archiveNames, isArchiveName } from "./archive-name.ts";
import { readArchive } from "./read-archive.ts";

/**
 * Finds the packages in Java archives: the archives themselves, packages that were copied into them, and nested archives.
 * @param published the index in which archives are looked up that do not describe themselves
 */
export function createJavaDetector(
  limits: ArchiveLimits = defaultArchiveLimits,
  published?: JavaCoordinates,
): FileDetector {
  const zip = createZipReader();
  return {
    name: "java-archives",
    revision: 9,
    programs: "jar",
    withLookups: ({ java }) => createJavaDetector(limits, java),
    names: archiveNames,
    wants: ({ path }: FileEntry) => isArchiveName(path),
    *detect(file: LayerFile): Iterable<Finding> {
      const { path } = file;
      const bytes = file.parts ?? file.bytes;
      if (bytes.length === 0) return;
      const { budget = new ArchiveBudget(path, bytes.length, limits), depth = 0 } = file.archive ?? {};
      const reading = { path, zip, budget, published };
      yield* readArchive(reading, { name: path, bytes, depth: depth + 1 });
    },
  };
}
