import type { FileEntry, FileOwners } from "../../plugins/detector.ts";
import { findOwnershipFile, parseFileList, parseMd5sums } from "./file-list.ts";

/** The folders of lists. In Distroless' `status.d`, a package has a file of digests and no list; images built from it may have that in `info`. */
const listFolders =
  /^(?:(?:var|usr)\/lib\/[do]pkg\/info|lib\/opkg\/info|var\/lib\/dpkg\/status\.d)\/[^/]+\.(?:list|md5sums)$/;

/** Lists the files that packages of dpkg and opkg own, from each package's list beside the database. */
export const dpkgOwners: FileOwners = {
  name: "dpkg-owners",
  revision: 4,
  names: { endings: [".list", ".md5sums"] },
  wants: ({ path }: FileEntry) => listFolders.test(path),
  *owners(files) {
    for (const file of files) {
      const list = findOwnershipFile(file.path);
      if (list === undefined) continue;
      const paths = list.kind === "list" ? parseFileList(file.bytes) : parseMd5sums(file.bytes);
      const databaseIn = `${file.path.split("/").slice(0, -2).join("/")}/`; // of `status` and `status.d`
      yield { paths, owner: list.packageName, listedIn: file.path, databaseIn };
    }
  },
};
