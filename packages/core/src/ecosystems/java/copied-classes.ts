/**
 * Artifacts whose classes were copied into an archive, as shading does. The classes of one folder have a digest, which an index may have:
 *
 * ```
 * digest = SHA-256 ( *( name %x00 crc32 %x00 size %x0A ) )      names without folder, sorted; numbers in decimal
 * ```
 * Classes that shading renames have other bytes, and are not found.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import type { JavaCoordinates, PublishedArtifact } from "../../plugins/lookups.ts";
import type { ZipEntry } from "../../zip/read-directory.ts";

/** Folders with fewer classes may be equal by chance, or be copied alone. */
const minClasses = 4;

/** The number of artifacts that are read for one digest. A folder that so many have says nothing. */
export const maxArtifacts = 100;

const encoder = new TextEncoder();

/** The digests of an archive's folders of classes. */
export function classDigests(entries: readonly ZipEntry[]): ReadonlyMap<string, Uint8Array> {
  const byFolder = Map.groupBy(
    entries.filter(({ name }) => name.endsWith(".class")),
    ({ name }) => name.slice(0, Math.max(0, name.lastIndexOf("/"))),
  );
  const digests = new Map<string, Uint8Array>();
  for (const [folder, classes] of byFolder) {
    if (folder === "" || classes.length < minClasses) continue;
    const lines = classes.map(
      ({ name, crc32, sizeBytes }) => `${name.slice(folder.length + 1)}\0${crc32}\0${sizeBytes}\n`,
    );
    digests.set(folder, sha256(encoder.encode(lines.sort().join(""))));
  }
  return digests;
}

/** An artifact with classes in an archive. */
export interface CopiedArtifact extends PublishedArtifact {
  /** The first folder of its classes. */
  readonly path: string;
}

/**
 * The artifacts that the folders of classes are from. A folder that several artifacts have says nothing. The version is the only one that all folders
 * of an artifact may have; empty if there are several.
 * @throws ScanError for a damaged index
 */
export function findCopied(
  digests: ReadonlyMap<string, Uint8Array>,
  ofClasses: NonNullable<JavaCoordinates["ofClasses"]>,
): readonly CopiedArtifact[] {
  const found = new Map<string, { readonly first: CopiedArtifact; versions: ReadonlySet<string> }>();
  for (const [path, digest] of digests) {
    const artifacts = ofClasses(digest);
    const [first] = artifacts;
    if (first === undefined || artifacts.length >= maxArtifacts) continue;
    const { group, artifact } = first;
    if (artifacts.some((each) => each.group !== group || each.artifact !== artifact)) continue;
    const versions = new Set(artifacts.map(({ version }) => version));
    const key = `${group}:${artifact}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { first: { ...first, path }, versions });
    else known.versions = new Set([...known.versions].filter((version) => versions.has(version)));
  }
  return [...found.values()].map(({ first, versions }) => {
    const [only = "", ...others] = versions;
    return { ...first, version: others.length === 0 ? only : "" };
  });
}
