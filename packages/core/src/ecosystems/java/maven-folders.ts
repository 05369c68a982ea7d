import type { ZipEntry } from "../../zip/read-directory.ts";
import type { Told } from "./archive-packages.ts";
import { type Coordinates, coordinatesOfPath, parsePomProperties } from "./pom-properties.ts";
import { maxPomXmlBytes, parsePomXml } from "./pom-xml.ts";

/** Of one description; signed archives have manifests of several megabytes. */
export const maxDescriptionBytes = 16 * 1024 ** 2;

/** How an entry is read, and what counts where that fails. */
export interface EntryReading<T> {
  readonly maxBytes: number;
  parse(bytes: Uint8Array): T;
  readonly otherwise: T;
}

/** Reads an entry; what is wrong with it is a problem of its own. */
export type ReadEntry = <T>(entry: ZipEntry, how: EntryReading<T>) => T;

/**
 * What Maven's folders of an archive tell, one for each: by `pom.properties`, and by `pom.xml` where that is missing. A `pom.xml` is left
 * out where `pom.properties` in another folder tells of the same artifact, unless it tells another version.
 * @param location of the archive, for messages
 */
export function toldByMaven(location: string, poms: readonly ZipEntry[], read: ReadEntry): readonly Told[] {
  const byFolder = new Map<string, ZipEntry>();
  for (const entry of poms) {
    const folder = entry.name.slice(0, entry.name.lastIndexOf("/"));
    if (isProperties({ path: entry.name }) || !byFolder.has(folder)) byFolder.set(folder, entry);
  }
  const told = [...byFolder.values()].map((entry) => readPom(location, entry, read));
  const proved = told.filter(isProperties);
  const known = new Set(proved.flatMap((each) => [spelled(each), spelled({ ...each, version: "" })]));
  return [...proved, ...told.filter((each) => !isProperties(each) && !known.has(spelled(each)))];
}

function readPom(location: string, entry: ZipEntry, read: ReadEntry): Told {
  const { name: path } = entry;
  const ofPath = coordinatesOfPath(path) ?? { group: "", artifact: "", version: "" };
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

function isProperties({ path }: Pick<Told, "path">): boolean {
  return path.endsWith(".properties");
}

function spelled({ group, artifact, version }: Coordinates): string {
  return `${group}:${artifact}:${version}`;
}
