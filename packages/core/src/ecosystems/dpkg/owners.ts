import type { FileEntry, FileOwners } from "../../plugins/detector.ts";
import { findOwnershipFile, parseFileList, parseMd5sums } from "./file-list.ts";

/** The second is Distroless', where a package has one file of digests and no list. */
const listFolders = /^(?:(?:var|usr)\/lib\/[do]pkg\/info|lib\/opkg\/info|var\/lib\/dpkg\/status\.d)\/[^/]+$/;

/** Which files the packages of dpkg and opkg own, from the list that each package has beside the database. */
export const dpkgOwners: FileOwners = {
  name: "dpkg-owners",
  revision: 1,
  wants: ({ path }: FileEntry) => listFolders.test(path) && isList(path),
  *owners(files) {
    for (const { path, bytes } of files) {
      const list = findOwnershipFile(path);
      if (list === undefined) continue;
      const paths = list.kind === "list" ? parseFileList(bytes) : parseMd5sums(bytes);
      for (const owned of paths) yield { path: owned, owner: list.packageName };
    }
  },
};

/** Where a package has both, the list has links too. */
function isList(path: string): boolean {
  return path.endsWith(path.startsWith("var/lib/dpkg/status.d/") ? ".md5sums" : ".list");
}
