import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { isTestData } from "../language/package-folders.ts";
import { provenPackage } from "../language/proof.ts";
import { findPathCoordinates, parsePomProperties } from "./pom-properties.ts";

/** Where builds put what they have not packed yet. */
const buildFolder = /(?:^|\/)(?:build|target)\//;

/**
 * Finds applications whose archive was unpacked, as servers of applications and images of Spring Boot do it, by the description that Maven wrote
 * into the archive.
 */
export const unpackedDetector: FileDetector = {
  name: "java-unpacked",
  revision: 2,
  ignoresArchives: "java",
  names: { endings: ["/pom.properties"] },
  wants: ({ path }: FileEntry) =>
    path.endsWith("/pom.properties") &&
    findPathCoordinates(path) !== undefined &&
    !buildFolder.test(path) &&
    !isTestData(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const ofPath = findPathCoordinates(file.path);
    if (ofPath === undefined) return;
    const { group, artifact, version } = parsePomProperties(file.bytes, ofPath);
    if (version !== "") yield provenPackage(file, { name: `${group}:${artifact}`, version });
  },
};
