import type { FileOwners } from "../../plugins/detector.ts";
import { distinctFiles } from "../linux/distinct-files.ts";
import { ownText } from "../linux/text.ts";
import { apkDetector } from "./detector.ts";
import { parseApkInstalled } from "./installed-db.ts";

/** Lists the files that packages of apk own, from the database of installed packages. */
export const apkOwners: FileOwners = {
  name: "apk-owners",
  revision: 2,
  names: { endings: ["/installed"] },
  wants: apkDetector.wants,
  *owners(files) {
    for (const { path: listedIn, bytes } of distinctFiles(files)) {
      for (const { name, files: paths } of parseApkInstalled(bytes).packages) {
        yield { paths, owner: ownText(name), listedIn };
      }
    }
  },
};
