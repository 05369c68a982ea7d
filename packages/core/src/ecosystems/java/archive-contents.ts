import type { ByteParts } from "../../bytes/byte-parts.ts";
import type { ZipEntry } from "../../zip/read-directory.ts";
import type { ZipFile, ZipReader } from "../../zip/zip-reader.ts";
import type { ArchiveBudget } from "./archive-budget.ts";
import { isArchiveName, parseArchiveName } from "./archive-name.ts";
import { findKnownGroup } from "./known-groups.ts";
import { coordinatesOfPath } from "./pom-properties.ts";

/** One archive, outermost or in another. */
export interface Archive {
  /** Its path in what it is in: the layer, or the archive around it. */
  readonly name: string;
  /** Its place in the outermost one, `b.war:WEB-INF/lib/c.jar`; undefined for that itself. */
  readonly within?: string;
  readonly bytes: ByteParts;
  /** 1 for the outermost. */
  readonly depth: number;
}

/** What archives of one file are read with. */
export interface ArchiveReading {
  /** Of the outermost archive. */
  readonly path: string;
  readonly zip: ZipReader;
  readonly budget: ArchiveBudget;
}

/** What there is in an archive that tells of packages. */
export interface ArchiveContents {
  readonly archives: readonly ZipEntry[];
  readonly poms: readonly ZipEntry[];
  readonly manifest?: ZipEntry;
  /** Whether it has classes in the folder of the group that artifacts of its name have. */
  readonly hasKnownClasses: boolean;
}

const manifestPath = "META-INF/MANIFEST.MF";

/** Lists what an archive has. @throws ScanError `malformed_archive`, `memory_limit` */
export function listContents({ path, zip, budget }: ArchiveReading, archive: Archive): ArchiveContents {
  const file = zipFileOf(path, archive);
  const classes = findKnownGroup(parseArchiveName(archive.name))?.classes;
  let hasKnownClasses = false;
  const entries = zip.list(file, {
    maxEntries: Number.POSITIVE_INFINITY, // the budget counts them
    wants(name) {
      budget.takeEntry();
      hasKnownClasses ||= classes !== undefined && name.startsWith(classes) && name.endsWith(".class");
      return isPart(name);
    },
  });
  const manifest = entries.find(({ name }) => isManifest(name));
  return {
    archives: entries.filter(({ name }) => isArchiveName(name)),
    poms: entries.filter(({ name }) => coordinatesOfPath(name) !== undefined),
    hasKnownClasses,
    ...(manifest !== undefined && { manifest }),
  };
}

/** An archive as it is read and named in messages. */
export function zipFileOf(path: string, { within, bytes }: Archive): ZipFile {
  return { location: within === undefined ? path : `${path}:${within}`, bytes };
}

function isPart(name: string): boolean {
  return isArchiveName(name) || isManifest(name) || coordinatesOfPath(name) !== undefined;
}

function isManifest(name: string): boolean {
  return name.length === manifestPath.length && name.toUpperCase() === manifestPath;
}
