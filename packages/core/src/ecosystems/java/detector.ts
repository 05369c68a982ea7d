import { contentOf } from "../../bytes/byte-parts.ts";
import type { DetectOptions, FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import type { JavaCoordinates } from "../../plugins/lookups.ts";
import { ArchiveBudget, defaultArchiveLimits } from "../../zip/archive-budget.ts";
import { createZipReader } from "../../zip/zip-reader.ts";
import { asFile } from "../language/proof.ts";
import { archiveNames, isArchiveName, isSharedExtension } from "./archive-name.ts";
import { readArchive } from "./read-archive.ts";

/**
 * Finds the packages in Java archives: the archives themselves, and packages that were copied into them. It opens them, so that the archives in them are
 * found like those in a folder, and packages of other languages too.
 * @param published the index in which archives are looked up that do not describe themselves
 */
export function createJavaDetector(published?: JavaCoordinates): FileDetector {
  const zip = createZipReader();
  return {
    name: "java-archives",
    revision: 24,
    opens: { packages: "java", isArchive: isPerhapsArchive, mayBeEmpty: true },
    programs: "jar",
    withLookups: ({ java }) => createJavaDetector(java),
    names: archiveNames,
    wants: ({ path }: FileEntry) => isArchiveName(path),
    *detect(file: LayerFile, options: DetectOptions = {}): Iterable<Finding> {
      if (!isPerhapsArchive(file)) return;
      const { path } = file;
      const bytes = contentOf(file);
      const { details = true } = options;
      const { budget = new ArchiveBudget(path, bytes.length, defaultArchiveLimits) } = file;
      for (const found of readArchive({ path, bytes, isPart: isPartOf(file), zip, budget, published, details })) {
        const isArchive = found.kind === "package" && found.packageDb === path; // others were copied into it
        yield isArchive ? asFile(found, "archive", options) : found;
      }
    },
  };
}

/** Whether a file may be an archive. A file with an extension that other programs use must begin like a zip file. */
function isPerhapsArchive(file: LayerFile): boolean {
  const bytes = contentOf(file);
  const [p, k] = bytes.subarray(0, 2);
  return bytes.length > 0 && ((p === 0x50 && k === 0x4b) || !isSharedExtension(file.path));
}

/**
 * Whether a file has the classes, the interface or the checks of an Android library: one of the names that each library has.
 * @see https://developer.android.com/studio/projects/android-library#aar-contents
 */
function isPartOf({ path, archive }: LayerFile): boolean {
  if (archive === undefined || !/\.aar\/$/i.test(archive.folder)) return false;
  return /^(?:api|classes|lint)\.jar$/.test(path.slice(archive.folder.length));
}
