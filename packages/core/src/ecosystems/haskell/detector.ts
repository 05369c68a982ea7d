import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readHeaderFields } from "../language/header-fields.ts";
import { provenPackage, unreadable } from "../language/proof.ts";

const place = /(?:^|\/)package\.(?:conf\.d|db)\/[^/]+\.conf$/;
const names: ReadonlySet<string> = new Set(["name", "version"]);

/**
 * Finds the libraries in a package database of GHC, which has one file for each.
 * @see https://downloads.haskell.org/ghc/latest/docs/users_guide/packages.html#installed-pkg-info
 */
export const haskellDetector: FileDetector = {
  name: "haskell-package-conf",
  revision: 1,
  names: { endings: [".conf"] },
  wants: ({ path }: FileEntry) => path.endsWith(".conf") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const fields = readHeaderFields(file.bytes, names);
    const name = fields.get("name");
    if (name === undefined) yield unreadable(file.path, "expected the name of a Haskell package, found none");
    else yield provenPackage(file, { name, version: fields.get("version") ?? "" });
  },
};
