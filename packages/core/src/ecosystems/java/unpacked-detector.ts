import { contentOf, wholeOf } from "../../bytes/byte-parts.ts";
import type { DetectOptions, FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage } from "../language/proof.ts";
import { modelFinding, pomDetails } from "./pom-details.ts";
import { findPathCoordinates, parsePomProperties } from "./pom-properties.ts";
import { coordinatesOf, maxPomXmlBytes, type PomModel, readPomModel } from "./pom-xml.ts";

/** Where builds put what they have not packed yet. */
const buildFolder = /(?:^|\/)(?:build|target)\//;

/**
 * Finds applications whose archive was unpacked, as servers of applications and images of Spring Boot do it, by the descriptions that Maven wrote
 * into the archive: of `pom.xml` only what `pom.properties` beside it does not state.
 */
export const unpackedDetector: FileDetector = {
  name: "java-unpacked",
  revision: 7,
  ignoresArchives: "java",
  names: { endings: ["/pom.properties", "/pom.xml"] },
  wants: ({ path }: FileEntry) => findPathCoordinates(path) !== undefined && !buildFolder.test(path),
  *detect(file: LayerFile, { details = true }: DetectOptions = {}): Iterable<Finding> {
    const ofPath = findPathCoordinates(file.path);
    if (ofPath === undefined) return;
    const model = file.path.endsWith(".xml") ? modelOf(file) : undefined;
    const { group, artifact, version } =
      model === undefined ? parsePomProperties(file.bytes, ofPath) : coordinatesOf(model, ofPath);
    if (version === "") return;
    yield provenPackage(file, { name: `${group}:${artifact}`, version });
    const found = model && details ? modelFinding(file.path, model, pomDetails(model)) : undefined;
    if (found !== undefined) yield found;
    if (model === undefined)
      yield { kind: "listing", path: file.path, files: [file.path.replace(/properties$/, "xml")] };
  },
};

/** @throws ScanError `malformed_package_db` for a file that is too large or no XML */
function modelOf(file: LayerFile): PomModel {
  return readPomModel(wholeOf(file, maxPomXmlBytes), file.path);
}

/** Yarn's caches have detectors of their own, and files for tests may be damaged on purpose. */
const others = /(?:^|\/)(?:\.yarn|fixtures?|t|test-?data|tests?|testing)\//i;

/** Extensions of Visual Studio Code, servers of the Model Context Protocol and extensions of Firefox and Chrome, and modules of NetBeans are zip archives, with the packages that they use. */
const endings = [".zip", ".vsix", ".mcpb", ".dxt", ".xpi", ".crx", ".nbm"];

/**
 * Opens zip archives of any kind, as distributions of servers and functions without a server are: archives of Java in them, and packages of other languages, are found like those in a
 * folder. Most have none.
 */
export const zipDetector: FileDetector = {
  name: "zip-archives",
  revision: 4,
  opens: { packages: "other", isArchive: (file) => isZip(contentOf(file).subarray(0, 4)), mayBeEmpty: true },
  names: { endings },
  wants: ({ path }: FileEntry) => /\.(?:zip|vsix|mcpb|dxt|xpi|crx|nbm)$/i.test(path) && !others.test(path),
  *detect() {},
};

/** An archive of Chrome has a signature before it. @see https://chromium.googlesource.com/chromium/src/+/HEAD/components/crx_file/ */
function isZip(head: LayerFile["bytes"]): boolean {
  const text = String.fromCharCode(...head);
  return text.startsWith("PK") || text === "Cr24";
}
