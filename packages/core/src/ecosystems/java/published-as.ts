import type { ByteParts } from "../../bytes/byte-parts.ts";
import type { PublishedArtifact } from "../../plugins/lookups.ts";
import { createZipReader } from "../../zip/zip-reader.ts";
import { isArchiveName } from "./archive-name.ts";
import { classDigests } from "./copied-classes.ts";
import { createJavaDetector } from "./detector.ts";
import { findLayoutCoordinates } from "./layout-coordinates.ts";
import { isId, isVersion } from "./pom-properties.ts";

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
  /** Below the folder. */
  readonly path: string;
  readonly bytes: ByteParts;
}

/**
 * The coordinates of an archive in a folder, for an index. In a local repository of Maven or a cache of Gradle they are those of its folders,
 * else those that the engine finds in the archive; undefined if they are not known. The folder itself may be a repository.
 * @throws ScanError for a damaged archive
 * @example
 * const bytes = new Uint8Array();
 * publishedAs({ path: "org/lz4/lz4-java/1.8.0/lz4-java-1.8.0.jar", bytes })?.group; // "org.lz4"
 */
export function publishedAs({ path, bytes }: ArchiveOfFolder): PublishedArtifact | undefined {
  if (!isArchiveName(path)) return undefined;
  const ofLayout = findLayoutCoordinates(path) ?? findLayoutCoordinates(`repository/${path}`);
  if (ofLayout !== undefined) return ofLayout;
  const file = { path, contentPath: path, mode: 0, bytes: bytes.subarray(0, 0), parts: bytes };
  for (const found of createJavaDetector().detect(file)) {
    if (found.kind !== "package" || found.file !== undefined) continue;
    const [group = "", artifact = ""] = found.package.name.split(":");
    const { version } = found.package;
    return isId(group) && isId(artifact) && isVersion(version) ? { group, artifact, version } : undefined;
  }
  return undefined;
}
