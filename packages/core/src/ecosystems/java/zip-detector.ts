import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";

/** Yarn's caches have detectors of their own, and files for tests may be damaged on purpose. */
const others = /(?:^|\/)(?:\.yarn|fixtures?|t|test-?data|tests?|testing)\//i;

/** Extensions of Visual Studio Code, servers of the Model Context Protocol and extensions of Firefox are zip archives, with the packages that they use. */
const endings = [".zip", ".vsix", ".mcpb", ".dxt", ".xpi"];

/**
 * Opens zip archives of any kind, as distributions of servers and functions without a server are: archives of Java in them, and packages of other languages, are found like those in a
 * folder. Most have none.
 */
export const zipDetector: FileDetector = {
  name: "zip-archives",
  revision: 2,
  opens: { packages: "other", isArchive: ({ bytes, parts = bytes }) => isZip(parts.subarray(0, 2)), mayBeEmpty: true },
  names: { endings },
  wants: ({ path }: FileEntry) => /\.(?:zip|vsix|mcpb|dxt|xpi)$/i.test(path) && !others.test(path),
  *detect() {},
};

function isZip([first, second]: LayerFile["bytes"]): boolean {
  return first === 0x50 && second === 0x4b;
}
