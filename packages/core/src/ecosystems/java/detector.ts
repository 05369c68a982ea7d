import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { createZipReader } from "../../zip/zip-reader.ts";
import { ArchiveBudget, type ArchiveLimits, defaultArchiveLimits } from "./archive-budget.ts";
import { isArchiveName } from "./archive-name.ts";
import { readArchive } from "./read-archive.ts";

/** Finds the packages in Java archives: the archives themselves, packages that were copied into them, and nested archives. */
export function createJavaDetector(limits: ArchiveLimits = defaultArchiveLimits): FileDetector {
  const zip = createZipReader();
  return {
    name: "java-archives",
    revision: 5,
    wants: ({ path }: FileEntry) => isArchiveName(path),
    *detect(file: LayerFile): Iterable<Finding> {
      const { path } = file;
      const bytes = file.parts ?? file.bytes;
      if (bytes.length === 0) return;
      const budget = new ArchiveBudget(path, bytes.length, limits);
      yield* readArchive({ path, zip, budget }, { name: path, bytes, depth: 1 });
    },
  };
}
