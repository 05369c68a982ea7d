import type { ByteParts } from "../../bytes/byte-parts.ts";
import type { ReadingBudget } from "../../plugins/detector.ts";
import type { JavaCoordinates } from "../../plugins/lookups.ts";
import type { ZipEntry } from "../../zip/read-directory.ts";
import type { ZipFile, ZipReader } from "../../zip/zip-reader.ts";
import { isArchiveName } from "./archive-name.ts";
import { classDigests } from "./copied-classes.ts";
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
  /** Set if it is a part of the archive around it, and no package of its own. */
  readonly isPart?: boolean;
}

/** The reader and the budget for the archives of one file. */
export interface ArchiveReading {
  /** The path of the outermost archive. */
  readonly path: string;
  readonly zip: ZipReader;
  readonly budget: ReadingBudget;
  /** The index of published archives, if there is one. */
  readonly published?: JavaCoordinates;
}

/** The entries of an archive that describe packages. */
export interface ArchiveContents {
  readonly archives: readonly ZipEntry[];
  readonly poms: readonly ZipEntry[];
  readonly manifest?: ZipEntry;
}

const manifestPath = "META-INF/MANIFEST.MF";

/** Lists the contents of an archive. @throws ScanError `malformed_archive`, `memory_limit` */
export function listContents({ path, zip, budget }: ArchiveReading, archive: Archive): ArchiveContents {
  const file = zipFileOf(path, archive);
  const entries = zip.list(file, {
    maxEntries: Number.POSITIVE_INFINITY, // the budget counts them
    wants(name) {
      budget.countEntry();
      return isPart(name);
    },
  });
  const manifest = entries.find(({ name }) => isManifest(name));
  return {
    archives: entries.filter(({ name }) => isArchiveName(name)),
    poms: entries.filter(({ name }) => findPathCoordinates(name) !== undefined),
    manifest,
  };
}

/** Folders of classes that are looked at. Larger archives contain several artifacts. */
const maxFolders = 10_000;

/** The folders of an archive's classes. Reads its directory again, which only archives without a description need. */
export function listClassFolders({ path, zip }: ArchiveReading, archive: Archive): ReadonlySet<string> {
  const folders = new Set<string>();
  zip.list(zipFileOf(path, archive), {
    maxEntries: Number.POSITIVE_INFINITY, // counted before
    wants(name) {
      const end = name.endsWith(".class") ? name.lastIndexOf("/") : -1;
      if (end > 0 && folders.size < maxFolders) folders.add(name.slice(0, end));
      return false;
    },
  });
  return folders;
}

/** The digests of an archive's folders of classes. Reads its directory again. */
export function listClassDigests({ path, zip }: ArchiveReading, archive: Archive): ReadonlyMap<string, Uint8Array> {
  const wants = (name: string) => name.endsWith(".class");
  const maxEntries = Number.POSITIVE_INFINITY; // counted before
  return classDigests(zip.list(zipFileOf(path, archive), { maxEntries, wants }));
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
