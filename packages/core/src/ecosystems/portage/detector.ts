import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { splitPackage } from "./package-path.ts";

/** Finds the installed packages of Portage, by the paths of their folders, which have name and version. */
export const portageDetector: FileDetector = {
  name: "portage-installed",
  revision: 1,
  names: { endings: ["/CONTENTS"] },
  wants: ({ path }: FileEntry) => path.endsWith("/CONTENTS") && path.startsWith("var/db/pkg/"),
  *detect(file: LayerFile): Iterable<Finding> {
    const found = splitPackage(file.path);
    if (found === undefined)
      yield unreadable(file.path, "expected CATEGORY/NAME-VERSION in var/db/pkg, found another path");
    else yield provenPackage(file, found);
  },
};
