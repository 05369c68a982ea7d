import { contentOf } from "../../bytes/byte-parts.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";

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
