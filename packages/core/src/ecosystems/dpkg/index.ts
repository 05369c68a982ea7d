import { coalesceDatabases, repositoryFiles } from "../../index/coalesce-databases.ts";
import { parentOf } from "../../layer/paths.ts";
import type { Coalescer, ImageView } from "../../plugins/coalescer.ts";
import type { FileEntry, FileOwners } from "../../plugins/detector.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { copyrightDetector } from "./copyright.ts";
import { databases, dpkgDependencies, dpkgDetector } from "./detector.ts";
import { databaseOf, dpkgFileLists, findOwnershipFile, listFolders, parseFileList, parseMd5sums } from "./file-list.ts";
import { debianMatcher, ubuntuMatcher } from "./matcher.ts";
import { dpkgVersions } from "./version.ts";

/**
 * Folders in which packages of Debian and Ubuntu have no files; those of others do. Their Python has packages in `dist-packages`.
 * @see https://www.debian.org/doc/debian-policy/ch-opersys.html#site-specific-programs
 * @see https://www.debian.org/doc/packaging-manuals/python-policy/#module-path
 */
const foldersOfOthers = /^(?:home|opt|root|srv|usr\/local|usr\/lib\/python[^/]*\/site-packages)\//;

/** Lists the files that packages of dpkg and opkg own, from each package's list beside the database. */
const dpkgOwners: FileOwners = {
  name: "dpkg-owners",
  revision: 6,
  names: { endings: [".list", ".md5sums"] },
  wants: ({ path }: FileEntry) => listFolders.test(path),
  *owners(files) {
    for (const file of files) {
      const list = findOwnershipFile(file.path);
      if (list === undefined) continue;
      const paths = list.kind === "list" ? parseFileList(file.bytes) : parseMd5sums(file.bytes);
      const databaseIn = databaseOf(file.path);
      yield {
        paths: paths.filter((path) => !foldersOfOthers.test(path)),
        owner: list.packageName,
        listedIn: file.path,
        databaseIn,
      };
    }
  },
};

const coalesceAll = coalesceDatabases({
  origins: repositoryFiles((path) => path === "var/lib/ubuntu-advantage/status.json"),
  packagingOf: (packageDb) => (parentOf(packageDb).endsWith("/opkg") ? "opkg" : "dpkg"),
});

/** The release of an image is that of the packages in its own root, and not of those of another root, such as a `chroot`. */
const coalesce: Coalescer = function* (layers, image) {
  const ownFolders = foldersOfRoot(image);
  for (const found of coalesceAll(layers, image)) {
    yield ownFolders.has(parentOf(found.packageDb)) ? found : { ...found, distribution: undefined };
  }
};

/** The folders of the databases of the root, also where links lead to. */
function foldersOfRoot({ resolve }: Pick<ImageView, "resolve">): ReadonlySet<string> {
  const paths = ["", "usr/", "var/"].flatMap((place) =>
    databases.flatMap((database) => [`${place}${database}`, `${place}${database}.d/any`]),
  );
  return new Set(paths.flatMap((path) => [parentOf(path), parentOf(resolve(path))]));
}

/** Packages of dpkg and opkg: Debian, Ubuntu and distributions built from them. */
export const dpkg: Ecosystem = {
  name: "dpkg",
  detectors: [dpkgDetector],
  detailDetectors: [copyrightDetector],
  fileOwners: [dpkgOwners],
  fileLists: [dpkgFileLists],
  dependencies: dpkgDependencies,
  matchers: [debianMatcher, ubuntuMatcher],
  purl: ["deb"],
  versions: dpkgVersions,
  coalesce,
};
