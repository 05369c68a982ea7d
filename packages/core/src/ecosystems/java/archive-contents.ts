import type { ByteParts } from "../../bytes/byte-parts.ts";
import type { ReadingBudget } from "../../plugins/detector.ts";
import type { JavaCoordinates } from "../../plugins/lookups.ts";
import type { ZipEntry } from "../../zip/read-directory.ts";
import type { ZipFile, ZipReader } from "../../zip/zip-reader.ts";
import { classDigests } from "./copied-classes.ts";
import { findPathCoordinates } from "./pom-properties.ts";

/** One archive with its reader and its budget. */
export interface Archive extends ZipBytes {
  /** Whether it is a part of the archive around it, and no package of its own. */
  readonly isPart: boolean;
  readonly zip: ZipReader;
  readonly budget: ReadingBudget;
  /** The index of published archives, if there is one. */
  readonly published?: JavaCoordinates;
  /** See `DetectOptions`. */
  readonly details: boolean;
}

interface ZipBytes {
  /** The path in the layer; of a nested archive, that of the archive around it, a slash, and its path there. */
  readonly path: string;
  readonly bytes: ByteParts;
}

/** The entries of an archive that describe packages. */
export interface ArchiveContents {
  readonly poms: readonly ZipEntry[];
  readonly manifest?: ZipEntry;
  /** Whether it has a list of dependencies that it does not contain. */
  readonly namesDependencies: boolean;
}

const manifestPath = "META-INF/MANIFEST.MF";
/** The dependencies of a thin archive of Spring Boot. @see https://github.com/spring-projects-experimental/spring-boot-thin-launcher */
const thinPath = "META-INF/thin.properties";

/** Lists the contents of an archive. @throws ScanError `malformed_archive`, `memory_limit` */
export function listContents({ zip, budget, ...archive }: Archive): ArchiveContents {
  const entries = zip.list(zipFileOf(archive), {
    maxEntries: Number.POSITIVE_INFINITY, // the budget counts them
    wants(name) {
      budget.countEntry();
      return isPart(name);
    },
  });
  const manifest = entries.find(({ name }) => isManifest(name));
  return {
    poms: entries.filter(({ name }) => findPathCoordinates(name) !== undefined),
    manifest,
    namesDependencies: entries.some(({ name }) => name === thinPath),
  };
}

/** Folders of classes that are looked at. Larger archives contain several artifacts. */
export const maxFolders = 10_000;

/** The folders of an archive's classes. Reads its directory again, which only archives without a description need. */
export function listClassFolders({ zip, ...archive }: Archive): ReadonlySet<string> {
  const folders = new Set<string>();
  zip.list(zipFileOf(archive), {
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
export function listClassDigests({ zip, ...archive }: Archive): ReadonlyMap<string, Uint8Array> {
  const wants = (name: string) => name.endsWith(".class");
  const maxEntries = Number.POSITIVE_INFINITY; // counted before
  return classDigests(zip.list(zipFileOf(archive), { maxEntries, wants }));
}

/** The bytes of an archive, with its location for messages. */
export function zipFileOf({ path, bytes }: ZipBytes): ZipFile {
  return { location: path, bytes };
}

function isPart(name: string): boolean {
  return isManifest(name) || name === thinPath || findPathCoordinates(name) !== undefined;
}

function isManifest(name: string): boolean {
  return name.length === manifestPath.length && name.toUpperCase() === manifestPath;
}
