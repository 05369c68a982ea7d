import { ScanError } from "../../errors.ts";
import type { Finding } from "../../plugins/finding.ts";
import type { JavaCoordinates } from "../../plugins/lookups.ts";
import { overLimit } from "../../zip/archive-budget.ts";
import type { ZipEntry } from "../../zip/read-directory.ts";
import { provenPackage } from "../language/proof.ts";
import {
  type Archive,
  type ArchiveContents,
  type ArchiveReading,
  listClassDigests,
  listClassFolders,
  listContents,
  zipFileOf,
} from "./archive-contents.ts";
import { isSharedExtension, parseArchiveName } from "./archive-name.ts";
import { type ArchivePackage, type DescribedArtifact, type IdentifiedArchive, packagesOf } from "./archive-packages.ts";
import { findCopied } from "./copied-classes.ts";
import { type Manifest, parseManifest } from "./manifest.ts";
import { maxDescriptionBytes, type ReadEntry, readMavenFolders } from "./maven-folders.ts";

/**
 * Finds the packages of an archive and of all nested archives. A damaged part becomes a problem, and the other parts are read.
 * @throws ScanError `memory_limit`; `malformed_archive` if the archive itself is damaged
 */
export function* readArchive(reading: ArchiveReading, archive: Archive): Iterable<Finding> {
  if (!isPerhapsArchive(archive)) return;
  reading.budget.checkDepth(archive.depth);
  const contents = listContents(reading, archive);
  const descriptions = readDescriptions(reading, archive, contents);
  const packages = packagesOf(identified(reading, archive, descriptions));
  yield* descriptions.problems;
  for (const found of packages) yield provenPackage(reading, proofOf(archive, found));
  for (const entry of contents.archives) yield* readNested(reading, archive, entry);
}

/** The facts about an archive. What takes another look at its bytes is found when it is asked for; a damaged index is a problem. */
function identified(
  reading: ArchiveReading,
  archive: Archive,
  { described, manifest, problems }: Descriptions,
): IdentifiedArchive {
  let folders: ReadonlySet<string> | undefined;
  const lookUp = <T>(find: (published: JavaCoordinates) => readonly T[]): readonly T[] => {
    try {
      return reading.published === undefined ? [] : find(reading.published);
    } catch (error) {
      problems.push(problemOf(reading.path, error));
      return [];
    }
  };
  return {
    path: archive.name,
    name: parseArchiveName(archive.name),
    isPart: archive.isPart === true,
    described,
    manifest,
    classFolders() {
      folders ??= listClassFolders(reading, archive);
      return folders;
    },
    published: () => lookUp((java) => java.ofArchive(archive.bytes)),
    groupsOf: (artifact) => lookUp((java) => java.groupsOf(artifact)),
    copied: () =>
      lookUp(({ ofClasses }) =>
        ofClasses === undefined ? [] : findCopied(listClassDigests(reading, archive), ofClasses),
      ),
  };
}

/** Whether a file may be an archive. A file with an extension that other programs use must begin like a zip file. */
function isPerhapsArchive({ name, bytes }: Archive): boolean {
  const [p, k] = bytes.subarray(0, 2);
  return (p === 0x50 && k === 0x4b) || !isSharedExtension(name);
}

function* readNested(reading: ArchiveReading, archive: Archive, entry: ZipEntry): Iterable<Finding> {
  const { zip, path, budget } = reading;
  const within = archive.within === undefined ? entry.name : `${archive.within}:${entry.name}`;
  const unpackedBytes = entry.method === 0 ? 0 : entry.sizeBytes;
  budget.countPart(unpackedBytes);
  budget.open(unpackedBytes);
  try {
    const bytes = zip.parts(zipFileOf(path, archive), entry, Number.MAX_SAFE_INTEGER);
    const nested = { name: entry.name, within, bytes, depth: archive.depth + 1 };
    yield* readArchive(reading, { ...nested, isPart: isPartOf(archive, entry) });
  } catch (error) {
    yield problemOf(path, error);
  } finally {
    budget.close(unpackedBytes);
  }
}

/**
 * Whether an entry has the classes, the interface or the checks of an Android library: one of the names that each library has.
 * @see https://developer.android.com/studio/projects/android-library#aar-contents
 */
function isPartOf({ name }: Archive, entry: ZipEntry): boolean {
  return /\.aar$/i.test(name) && /^(?:api|classes|lint)\.jar$/.test(entry.name);
}

interface Descriptions {
  readonly described: readonly DescribedArtifact[];
  readonly manifest: Manifest;
  readonly problems: Finding[];
}

function readDescriptions(reading: ArchiveReading, archive: Archive, contents: ArchiveContents): Descriptions {
  const problems: Finding[] = [];
  const file = zipFileOf(reading.path, archive);
  const read: ReadEntry = (entry, { maxBytes, parse, otherwise }) => {
    reading.budget.countPart(entry.sizeBytes);
    try {
      return parse(reading.zip.read(file, entry, maxBytes));
    } catch (error) {
      problems.push(problemOf(reading.path, error));
      return otherwise;
    }
  };
  const none = parseManifest(new Uint8Array());
  const asManifest = { maxBytes: maxDescriptionBytes, parse: parseManifest, otherwise: none };
  const manifest = contents.manifest === undefined ? none : read(contents.manifest, asManifest);
  return { described: readMavenFolders(file.location, contents.poms, read), manifest, problems };
}

function proofOf({ within }: Archive, { group, artifact, version, path, candidates, otherIdentities }: ArchivePackage) {
  const places = [within, path].filter((place) => place !== undefined);
  return {
    name: group === "" ? artifact : `${group}:${artifact}`,
    version,
    candidates,
    otherIdentities,
    within: places.length > 0 ? places.join(":") : undefined,
  };
}

/** The problem of a part that cannot be read. An exceeded limit is thrown again, because it ends the whole archive. */
function problemOf(path: string, error: unknown): Finding {
  if (!(error instanceof ScanError) || error.code === overLimit) throw error;
  return { kind: "problem", path, code: error.code, message: error.message };
}
