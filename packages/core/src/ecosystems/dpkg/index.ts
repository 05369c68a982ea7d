import { coalesceDatabases, repositoryFiles } from "../../index/coalesce-databases.ts";
import { parentOf } from "../../layer/paths.ts";
import type { ImageView } from "../../plugins/coalescer.ts";
import type { FileEntry, FileOwners } from "../../plugins/detector.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { copyrightDetector } from "./copyright.ts";
import { databases, dpkgDependencies, dpkgDetector } from "./detector.ts";
import {
  databaseOf,
  dpkgFileLists,
  findOwnershipFile,
  listFolders,
  parseFileList,
  parseMd5sums,
  programsDetector,
} from "./file-list.ts";
import { debianMatcher, ubuntuMatcher } from "./matcher.ts";
import { dpkgVersions } from "./version.ts";

/**
 * Folders in which packages of Debian and Ubuntu have no files; those of others do. Their Python has packages in `dist-packages`.
 * @see https://www.debian.org/doc/debian-policy/ch-opersys.html#site-specific-programs
 * @see https://www.debian.org/doc/packaging-manuals/python-policy/#module-path
 */
const foldersOfOthers = /^(?:home|opt|root|srv|usr\/local|usr\/lib\/python[^/]*\/site-packages)\//;

/** The path of a list in its own system, which may be in a folder of the image: `var/lib/dpkg/info/a.list` of `opt/rootfs/var/lib/dpkg/info/a.list`. */
function withoutOtherRoot(path: string): string {
  return /(?:^|\/)((?:(?:usr|var)\/)?lib\/[do]pkg\/(?:info|status\.d)\/[^/]+)$/.exec(path)?.[1] ?? path;
}

/** Lists the files that packages of dpkg and opkg own, from each package's list beside the database. */
const dpkgOwners: FileOwners = {
  name: "dpkg-owners",
  revision: 8,
  names: { endings: [".list", ".md5sums"] },
  wants: ({ path }: FileEntry) => listFolders.test(withoutOtherRoot(path)),
  *owners(files) {
    for (const file of files) {
      const list = findOwnershipFile(file.path);
      if (list === undefined) continue;
      const paths = list.kind === "list" ? parseFileList(file.bytes) : parseMd5sums(file.bytes);
      const databaseIn = databaseOf(file.path);
      const root = file.path.slice(0, file.path.length - withoutOtherRoot(file.path).length);
      yield {
        paths: paths.filter((path) => !foldersOfOthers.test(path)).map((path) => root + path),
        owner: list.packageName,
        listedIn: file.path,
        databaseIn,
      };
    }
  },
};

const coalesce = coalesceDatabases({
  origins: repositoryFiles((path) => path === "var/lib/ubuntu-advantage/status.json"),
  packagingOf: (packageDb) => (parentOf(packageDb).endsWith("/opkg") ? "opkg" : "dpkg"),
  rootsIn(image) {
    const ownFolders = foldersOfRoot(image);
    return (packageDb) => (ownFolders.has(parentOf(packageDb)) ? undefined : otherRoot.exec(packageDb)?.[1]);
  },
});

/** The folder of a database that is in another root, such as a `chroot`: its packages are of the release there. */
const otherRoot = /^(.+?)\/(?:(?:usr|var)\/)?lib\/[do]pkg\/status(?:$|\.d\/)/;

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
  detailDetectors: [copyrightDetector, programsDetector],
  fileOwners: [dpkgOwners],
  fileLists: [dpkgFileLists],
  dependencies: dpkgDependencies,
  matchers: [debianMatcher, ubuntuMatcher],
  purl: ["deb"],
  versions: dpkgVersions,
  coalesce,
};
