import type { ByteParts } from "../../bytes/byte-parts.ts";
import type { ZipEntry } from "../../zip/read-directory.ts";
import type { ZipFile, ZipReader } from "../../zip/zip-reader.ts";
import type { ArchiveBudget } from "./archive-budget.ts";
import { isArchiveName, parseArchiveName } from "./archive-name.ts";
import { findKnownGroup } from "./known-groups.ts";
import { findPathCoordinates } from "./pom-properties.ts";

/** One archive, outermost or nested. */
export interface Archive {
  /** Its path in the layer, or in the archive that contains it. */
  readonly name: string;
  /** Its place in the outermost archive, `b.war:WEB-INF/lib/c.jar`; undefined for the outermost archive. */
  readonly within?: string;
  readonly bytes: ByteParts;
  /** 1 for the outermost. */
  readonly depth: number;
}

/** The reader and the budget for the archives of one file. */
export interface ArchiveReading {
  /** The path of the outermost archive. */
  readonly path: string;
  readonly zip: ZipReader;
  readonly budget: ArchiveBudget;
}

/** The entries of an archive that describe packages. */
export interface ArchiveContents {
  readonly archives: readonly ZipEntry[];
  readonly poms: readonly ZipEntry[];
  readonly manifest?: ZipEntry;
  /** Whether it has classes in the folder of the known group for its name. */
  readonly hasKnownClasses: boolean;
}

const manifestPath = "META-INF/MANIFEST.MF";

/** Lists the contents of an archive. @throws ScanError `malformed_archive`, `memory_limit` */
export function listContents({ path, zip, budget }: ArchiveReading, archive: Archive): ArchiveContents {
  const file = zipFileOf(path, archive);
  const classes = findKnownGroup(parseArchiveName(archive.name))?.classes;
  let hasKnownClasses = false;
  const entries = zip.list(file, {
    maxEntries: Number.POSITIVE_INFINITY, // the budget counts them
    wants(name) {
      budget.countEntry();
      hasKnownClasses ||= classes !== undefined && name.startsWith(classes) && name.endsWith(".class");
      return isPart(name);
    },
  });
  const manifest = entries.find(({ name }) => isManifest(name));
  return {
    archives: entries.filter(({ name }) => isArchiveName(name)),
    poms: entries.filter(({ name }) => findPathCoordinates(name) !== undefined),
    hasKnownClasses,
    ...(manifest !== undefined && { manifest }),
  };
}

/** The bytes of an archive, with its location for messages. */
export function zipFileOf(path: string, { within, bytes }: Archive): ZipFile {
  return { location: within === undefined ? path : `${path}:${within}`, bytes };
}

function isPart(name: string): boolean {
  return isArchiveName(name) || isManifest(name) || findPathCoordinates(name) !== undefined;
}

function isManifest(name: string): boolean {
  return name.length === manifestPath.length && name.toUpperCase() === manifestPath;
}
