import type { FileEntry, FileOwners } from "../../plugins/detector.ts";
import { findOwnershipFile, parseFileList, parseMd5sums } from "./file-list.ts";

/** The folders of lists. In Distroless' `status.d`, a package has a file of digests and no list. */
const listFolders = /^(?:(?:var|usr)\/lib\/[do]pkg\/info|lib\/opkg\/info|var\/lib\/dpkg\/status\.d)\/[^/]+$/;

/** Lists the files that packages of dpkg and opkg own, from each package's list beside the database. */
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

/** Whether a file is the list to read. If a package has a list and digests, only the list includes links. */
function isList(path: string): boolean {
  return path.endsWith(path.startsWith("var/lib/dpkg/status.d/") ? ".md5sums" : ".list");
}
