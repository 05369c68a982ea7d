import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { headerLines, readHeaderFields } from "../language/header-fields.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { haskellEvidence } from "./evidence.ts";

/** `pkgdb` is that of Stack. */
const place = /(?:^|\/)(?:package\.(?:conf\.d|db)|pkgdb)\/[^/]+\.conf$/;
const names: ReadonlySet<string> = new Set(["name", "version"]);

/**
 * Finds the libraries in a package database of GHC, which has one file for each.
 * @see https://downloads.haskell.org/ghc/latest/docs/users_guide/packages.html#installed-pkg-info
 */
const haskellDetector: FileDetector = {
  name: "haskell-package-conf",
  revision: 2,
  names: { endings: [".conf"] },
  wants: ({ path }: FileEntry) => path.endsWith(".conf") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const fields = readHeaderFields(headerLines(file.bytes), names);
    const name = fields.get("name");
    if (name === undefined) yield unreadable(file.path, "expected the name of a Haskell package, found none");
    else yield provenPackage(file, { name, version: fields.get("version") ?? "" });
  },
};

/** Haskell libraries in the package databases of GHC. */
export const haskell = defineLanguage({
  name: "haskell",
  ecosystem: "Hackage",
  repository: "hackage",
  fileDetectors: [haskellDetector],
  versions: numericVersions,
  evidence: haskellEvidence,
  purl: ["hackage"],
  assesses: ["haskell"],
});
