import type { ZipEntry } from "../../zip/read-directory.ts";
import type { DescribedArtifact } from "./archive-packages.ts";
import { type Coordinates, findPathCoordinates, parsePomProperties } from "./pom-properties.ts";
import { maxPomXmlBytes, parsePomXml } from "./pom-xml.ts";

/** The largest description that is read. Signed archives have manifests of several megabytes. */
export const maxDescriptionBytes = 16 * 1024 ** 2;

/** The parser of an entry, and the value if reading fails. */
export interface EntryReading<T> {
  readonly maxBytes: number;
  parse(bytes: Uint8Array): T;
  readonly otherwise: T;
}

/** Reads an entry. An error becomes a problem, and the result is `otherwise`. */
export type ReadEntry = <T>(entry: ZipEntry, how: EntryReading<T>) => T;

/**
 * Reads Maven's folders of an archive, one artifact for each: from `pom.properties`, or from `pom.xml` if that is missing. A `pom.xml` is left
 * out if `pom.properties` in another folder describes the same artifact, unless the versions differ.
 * @param location of the archive, for messages
 */
export function readMavenFolders(
  location: string,
  poms: readonly ZipEntry[],
  read: ReadEntry,
): readonly DescribedArtifact[] {
  const byFolder = new Map<string, ZipEntry>();
  for (const entry of poms) {
    const folder = entry.name.slice(0, entry.name.lastIndexOf("/"));
    if (isProperties({ path: entry.name }) || !byFolder.has(folder)) byFolder.set(folder, entry);
  }
  const described = [...byFolder.values()].map((entry) => readPom(location, entry, read));
  const fromProperties = described.filter(isProperties);
  const known = new Set(fromProperties.flatMap((each) => [keyOf(each), keyOf({ ...each, version: "" })]));
  return [...fromProperties, ...described.filter((each) => !isProperties(each) && !known.has(keyOf(each)))];
}

function readPom(location: string, entry: ZipEntry, read: ReadEntry): DescribedArtifact {
  const { name: path } = entry;
  const ofPath = findPathCoordinates(path) ?? { group: "", artifact: "", version: "" };
  const coordinates = read(
    entry,
    isProperties({ path })
      ? { maxBytes: maxDescriptionBytes, parse: (bytes) => parsePomProperties(bytes, ofPath), otherwise: ofPath }
      : {
          maxBytes: maxPomXmlBytes,
          parse: (bytes) => parsePomXml(bytes, ofPath, `${location}: ${path}`),
          otherwise: ofPath,
        },
  );
  return { ...coordinates, path };
}

function isProperties({ path }: Pick<DescribedArtifact, "path">): boolean {
  return path.endsWith(".properties");
}

function keyOf({ group, artifact, version }: Coordinates): string {
  return `${group}:${artifact}:${version}`;
}
