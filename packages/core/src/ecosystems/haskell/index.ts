import { dependenciesByName } from "../../index/named-dependencies.ts";
import type { PackageDetails } from "../../model/package-details.ts";
import type { DetectOptions, FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { headerLines, readHeaderFields, readHeaderLists } from "../language/header-fields.ts";
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
  revision: 4,
  names: { endings: [".conf"] },
  wants: ({ path }: FileEntry) => path.endsWith(".conf") && place.test(path),
  *detect(file: LayerFile, { details = true }: DetectOptions = {}): Iterable<Finding> {
    const lines = headerLines(file.bytes);
    const fields = readHeaderFields(lines, names);
    const name = fields.get("name");
    if (name === undefined) yield unreadable(file.path, "expected the name of a Haskell package, found none");
    else {
      const version = fields.get("version") ?? "";
      yield provenPackage(file, { name, version, details: details ? detailsOf(lines) : undefined });
    }
  },
};

const joined: ReadonlySet<string> = new Set(["depends"]);

/** What a library needs and is called by others are the names of builds: `base-4.18.2.1-1c2d`. */
function detailsOf(lines: readonly string[]): PackageDetails {
  const fields = readHeaderLists(lines, joined);
  const first = (name: string) => fields.get(name)?.[0];
  return {
    licenses: [{ text: first("license") ?? "" }],
    supplier: first("maintainer"),
    authors: [first("author") ?? ""],
    description: first("synopsis"),
    homepage: first("homepage"),
    requires: (first("depends") ?? "").split(" "),
    provides: [first("id") ?? ""],
  };
}

/** Haskell libraries in the package databases of GHC. */
export const haskell = defineLanguage({
  name: "haskell",
  ecosystem: "Hackage",
  repository: "hackage",
  fileDetectors: [haskellDetector],
  versions: numericVersions,
  evidence: haskellEvidence,
  dependencies: dependenciesByName({ namesOf: ({ details }) => details?.provides ?? [] }),
  purl: ["hackage"],
  assesses: ["haskell"],
});
