import type { ByteParts } from "../../bytes/byte-parts.ts";
import { ScanError } from "../../errors.ts";
import type { PublishedArtifact } from "../../plugins/lookups.ts";
import { createZipReader } from "../../zip/zip-reader.ts";
import { isArchiveName } from "./archive-name.ts";
import { classDigests } from "./copied-classes.ts";
import { createJavaDetector } from "./detector.ts";
import { findCoordinatesBelow, isNamedSo } from "./layout-coordinates.ts";
import { type Coordinates, isId, isVersion } from "./pom-properties.ts";
import { parsePomXml } from "./pom-xml.ts";

/**
 * The digests of an archive's folders of classes, for an index.
 * @throws ScanError for a damaged archive
 * @example
 * declare const bytes: Uint8Array;
 * const digests = classDigestsOf({ path: "lz4-java-1.8.0.jar", bytes });
 */
export function classDigestsOf({ path, bytes }: ArchiveOfFolder): readonly Uint8Array[] {
  const wants = (name: string) => name.endsWith(".class");
  return [...classDigests(createZipReader().list({ location: path, bytes }, { wants })).values()];
}

/** An archive in a folder of published archives. */
export interface ArchiveOfFolder {
  /** With the folders that may be those of a local repository or a cache. */
  readonly path: string;
  readonly bytes: ByteParts;
  /** The content of the model beside the archive. */
  readonly pom?: Uint8Array;
}

/**
 * The coordinates of an archive in a folder, for an index: those of the model beside it, or of its folders in a local repository of Maven or
 * a cache of Gradle or Ivy, else those that the engine finds in the archive. Undefined if they are not known: a wrong group in an index
 * hides vulnerabilities, where an archive without a group is undecided.
 * @throws ScanError for a damaged archive
 * @example
 * const bytes = new Uint8Array();
 * publishedAs({ path: "repository/org/lz4/lz4-java/1.8.0/lz4-java-1.8.0.jar", bytes })?.group; // "org.lz4"
 */
export function publishedAs(archive: ArchiveOfFolder): PublishedArtifact | undefined {
  if (!isArchiveName(archive.path)) return undefined;
  const ofModel = findModelCoordinates(archive);
  if (ofModel !== undefined) return ofModel;
  const ofFolders = findCoordinatesBelow(archive.path);
  const ofContent = findStated(archive);
  return ofFolders === undefined || hasOuterFolders(ofFolders, ofContent) ? ofContent : ofFolders;
}

/** Whether the folders of a group begin above those of the group that the archive states: `mirror.org.lz4` and `org.lz4`. */
function hasOuterFolders(ofFolders: PublishedArtifact, ofContent: PublishedArtifact | undefined): boolean {
  return ofContent !== undefined && ofFolders.group.endsWith(`.${ofContent.group}`);
}

/** The version of a model may be that of a file elsewhere: then it is that of the folder. */
function findModelCoordinates({ path, pom }: ArchiveOfFolder): PublishedArtifact | undefined {
  const [version = "", file = ""] = path.split("/").slice(-2);
  const found = pom && coordinatesIn(pom, path);
  const whole = found && { ...found, version: found.version || version };
  const isWhole = whole !== undefined && isId(whole.group) && isVersion(whole.version) && isNamedSo(file, whole);
  return isWhole ? whole : undefined;
}

/** Undefined if the model is damaged. */
function coordinatesIn(pom: Uint8Array, path: string): Coordinates | undefined {
  try {
    return parsePomXml(pom, { group: "", artifact: "", version: "" }, path);
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}

/** What the archive says of itself. */
function findStated({ path, bytes }: ArchiveOfFolder): PublishedArtifact | undefined {
  const place = path.split("/").slice(-3).join("/"); // too short for the folders of a repository
  const file = { path: place, contentPath: place, mode: 0, bytes: bytes.subarray(0, 0), parts: bytes };
  for (const found of createJavaDetector().detect(file)) {
    if (found.kind !== "package" || found.file !== undefined) continue;
    const [group = "", artifact = ""] = found.package.name.split(":");
    const { version } = found.package;
    return isId(group) && isId(artifact) && isVersion(version) ? { group, artifact, version } : undefined;
  }
  return undefined;
}
