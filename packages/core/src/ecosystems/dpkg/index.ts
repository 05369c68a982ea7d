import { coalesceDatabases, repositoryFiles } from "../../index/coalesce-databases.ts";
import type { FileEntry, FileOwners } from "../../plugins/detector.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { copyrightDetector } from "./copyright.ts";
import { dpkgDetector } from "./detector.ts";
import { findOwnershipFile, parseFileList, parseMd5sums } from "./file-list.ts";
import { debianMatcher, ubuntuMatcher } from "./matcher.ts";
import { dpkgVersions } from "./version.ts";

/** The folders of lists. In Distroless' `status.d`, a package has a file of digests and no list; images built from it may have that in `info`. */
const listFolders =
  /^(?:(?:var|usr)\/lib\/[do]pkg\/info|lib\/opkg\/info|var\/lib\/dpkg\/status\.d)\/[^/]+\.(?:list|md5sums)$/;

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
      const databaseIn = `${file.path.split("/").slice(0, -2).join("/")}/`; // of `status` and `status.d`
      yield {
        paths: paths.filter((path) => !foldersOfOthers.test(path)),
        owner: list.packageName,
        listedIn: file.path,
        databaseIn,
      };
    }
  },
};

/** Packages of dpkg and opkg: Debian, Ubuntu and distributions built from them. */
export const dpkg: Ecosystem = {
  name: "dpkg",
  detectors: [dpkgDetector],
  detailDetectors: [copyrightDetector],
  fileOwners: [dpkgOwners],
  matchers: [debianMatcher, ubuntuMatcher],
  purl: ["deb"],
  versions: dpkgVersions,
  coalesce: coalesceDatabases({ origins: repositoryFiles((path) => path === "var/lib/ubuntu-advantage/status.json") }),
};
