import { ScanError } from "../../errors.ts";
import type { Finding } from "../../plugins.ts";
import type { ZipEntry } from "../../zip/read-directory.ts";
import { provenPackage } from "../language/proof.ts";
import { overLimit } from "./archive-budget.ts";
import {
  type Archive,
  type ArchiveContents,
  type ArchiveReading,
  listContents,
  zipFileOf,
} from "./archive-contents.ts";
import { isSharedExtension, parseArchiveName } from "./archive-name.ts";
import { type ArchivePackage, packagesOf, type Told } from "./archive-packages.ts";
import { type Manifest, parseManifest } from "./manifest.ts";
import { coordinatesOfPath, parsePomProperties } from "./pom-properties.ts";

/** Of one description; signed archives have manifests of several megabytes. */
const maxDescriptionBytes = 16 * 1024 ** 2;

/**
 * The packages of an archive and of all archives in it. What is damaged is a problem and costs itself.
 * @throws ScanError `memory_limit`, `malformed_archive` when it is damaged itself
 */
export function* readArchive(reading: ArchiveReading, archive: Archive): Iterable<Finding> {
  if (!isPerhapsArchive(archive)) return;
  reading.budget.checkDepth(archive.depth);
  const contents = listContents(reading, archive);
  const { told, manifest, problems } = readDescriptions(reading, archive, contents);
  yield* problems;
  const name = parseArchiveName(archive.name);
  for (const found of packagesOf(told, { name, manifest, hasKnownClasses: contents.hasKnownClasses })) {
    yield provenPackage(reading, proofOf(archive, found));
  }
  for (const entry of contents.archives) yield* readNested(reading, archive, entry);
}

/** Other programs have files with the rarer extensions too. */
function isPerhapsArchive({ name, bytes }: Archive): boolean {
  const [p, k] = bytes.subarray(0, 2);
  return (p === 0x50 && k === 0x4b) || !isSharedExtension(name);
}

function* readNested(reading: ArchiveReading, archive: Archive, entry: ZipEntry): Iterable<Finding> {
  const { zip, path, budget } = reading;
  const within = archive.within === undefined ? entry.name : `${archive.within}:${entry.name}`;
  const unpackedBytes = entry.method === 0 ? 0 : entry.sizeBytes;
  budget.takePart(unpackedBytes);
  budget.open(unpackedBytes);
  try {
    const bytes = zip.parts(zipFileOf(path, archive), entry, Number.MAX_SAFE_INTEGER);
    yield* readArchive(reading, { name: entry.name, within, bytes, depth: archive.depth + 1 });
  } catch (error) {
    yield problemOf(path, error);
  } finally {
    budget.close(unpackedBytes);
  }
}

interface Descriptions {
  readonly told: readonly Told[];
  readonly manifest: Manifest;
  readonly problems: readonly Finding[];
}

function readDescriptions(reading: ArchiveReading, archive: Archive, contents: ArchiveContents): Descriptions {
  const problems: Finding[] = [];
  const read = (entry: ZipEntry): Uint8Array => {
    reading.budget.takePart(entry.sizeBytes);
    try {
      return reading.zip.read(zipFileOf(reading.path, archive), entry, maxDescriptionBytes);
    } catch (error) {
      problems.push(problemOf(reading.path, error));
      return new Uint8Array();
    }
  };
  const manifest = parseManifest(contents.manifest === undefined ? new Uint8Array() : read(contents.manifest));
  return { told: toldBy(contents.poms, read), manifest, problems };
}

/** One for each folder that has `pom.properties` or `pom.xml`; of the latter only its path is read. */
function toldBy(poms: readonly ZipEntry[], read: (entry: ZipEntry) => Uint8Array): readonly Told[] {
  const byFolder = new Map<string, Told>();
  for (const entry of poms) {
    const ofPath = coordinatesOfPath(entry.name);
    if (ofPath === undefined) continue;
    const { name: path } = entry;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (path.endsWith(".properties")) byFolder.set(folder, { ...parsePomProperties(read(entry), ofPath), path });
    else if (!byFolder.has(folder)) byFolder.set(folder, { ...ofPath, path });
  }
  return [...byFolder.values()];
}

function proofOf({ within }: Archive, { group, artifact, version, path }: ArchivePackage) {
  const places = [within, path].filter((place) => place !== undefined);
  return {
    name: group === "" ? artifact : `${group}:${artifact}`,
    version,
    ...(places.length > 0 && { within: places.join(":") }),
  };
}

/** A part that cannot be read; what a limit forbids ends the whole. */
function problemOf(path: string, error: unknown): Finding {
  if (!(error instanceof ScanError) || error.code === overLimit) throw error;
  return { kind: "problem", path, code: error.code, message: error.message };
}
