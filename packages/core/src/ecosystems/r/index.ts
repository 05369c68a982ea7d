import { dependenciesByName } from "../../index/named-dependencies.ts";
import { licenseReference } from "../../licenses/license-reference.ts";
import { knownLicense } from "../../licenses/spdx.ts";
import { spdxExpression } from "../../licenses/spdx-expression.ts";
import { isObject, textOf } from "../../model/json-object.ts";
import type { PackageDetails } from "../../model/package-details.ts";
import type { CoalescedPackage } from "../../plugins/coalescer.ts";
import type { DetectOptions, FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { headerLines, readHeaderFields, readHeaderLists } from "../language/header-fields.ts";
import { readJson } from "../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../language/lock-file.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { rEvidence } from "./evidence.ts";

const renvLockDetector = lockFileDetector({
  name: "renv-lock",
  isNamed: (file) => file === "renv.lock",
  *read(file) {
    const json = readJson(file, maxLockFileBytes);
    for (const [name, entry] of Object.entries(isObject(json) && isObject(json.Packages) ? json.Packages : {})) {
      const version = isObject(entry) ? textOf(entry.Version) : "";
      if (version !== "") yield { name, version };
    }
  },
});

/**
 * The detectors of R's lock files: `renv.lock`, `{ Packages: { NAME: { Version } } }`.
 * @see https://rstudio.github.io/renv/reference/lockfiles.html
 */
const rLockFiles = [renvLockDetector];

/** A package in a library of R itself, of a site, or of renv. */
const place = /(?:^|\/)(?:site-)?library\/(?:R-[^/]+\/[^/]+\/)?[^/]+\/DESCRIPTION$/;
const names: ReadonlySet<string> = new Set(["built", "package", "version"]);

/**
 * Finds installed packages of R by their `DESCRIPTION`: in a library, or in any folder (the cache of renv, to which a library has links) if it states when it was
 * built, which only `R CMD INSTALL` writes.
 * @see https://cran.r-project.org/doc/manuals/r-release/R-exts.html#The-DESCRIPTION-file
 */
const rDetector: FileDetector = {
  name: "r-description",
  revision: 5,
  names: { endings: ["/DESCRIPTION"] },
  wants: ({ path }: FileEntry) => path.endsWith("/DESCRIPTION"),
  *detect(file: LayerFile, { details = true }: DetectOptions = {}): Iterable<Finding> {
    const lines = headerLines(file.bytes);
    const fields = readHeaderFields(lines, names);
    if (!place.test(file.path) && !fields.has("built")) return;
    const name = fields.get("package");
    if (name === undefined) yield unreadable(file.path, "expected the name of an R package, found none");
    else {
      const version = fields.get("version") ?? "";
      yield provenPackage(file, { name, version, details: details ? detailsOf(lines) : undefined });
    }
  },
};

/** @see https://cran.r-project.org/doc/manuals/r-release/R-exts.html#Licensing */
function detailsOf(lines: readonly string[]): PackageDetails {
  const fields = readHeaderLists(lines, folded);
  const first = (name: string) => fields.get(name)?.[0];
  const maintainer = first("maintainer");
  const license = first("license") ?? "";
  const ofPackage = `${first("package") ?? ""} ${first("version") ?? ""}`;
  return {
    licenses: [
      {
        text: license,
        expression: licenseOf(license, ofPackage),
      },
    ],
    supplier: maintainer,
    authors: [first("author") ?? maintainer ?? ""],
    homepage: first("url")?.split(/[,\s]/, 1)[0],
    description: first("title"),
    requires: [...needed].flatMap((name) => first(name)?.split(",") ?? []),
  };
}

/** Fields that go on in lines that begin with a blank. */
const folded: ReadonlySet<string> = new Set(["depends", "imports", "linkingto", "license"]);

/** A text that is only in a file of the package. */
const inFile = /^file LICEN[CS]E/;

/**
 * The SPDX expression of `GPL (>= 2) | MIT + file LICENSE`: alternatives, each a name, perhaps with versions, and perhaps with terms in a file. An alternative may be such a file alone.
 * @see https://cran.r-project.org/doc/manuals/r-release/R-exts.html#Licensing
 */
function licenseOf(text: string, ofPackage: string): string | undefined {
  const parts = text.split("|").map((part) => part.trim());
  const named = parts.map((part) => {
    if (inFile.test(part)) return licenseReference(part, ofPackage);
    const known = licenseNamed(part.split(/\+ ?file LICEN/, 1)[0]?.trim() ?? "");
    return known ?? (parts.length > 1 && part !== "" ? licenseReference(part) : undefined);
  });
  return named.includes(undefined) ? undefined : [...new Set(named)].join(" OR ");
}

function licenseNamed(name: string): string | undefined {
  const words = name
    .replace(/[<>=]+/g, " $& ")
    .replace(/[-()\s]+/g, " ")
    .replace("version ", "")
    .trim()
    .split(" ");
  const number = words.pop() ?? "";
  const isOpen = words.at(-1) === ">=";
  const family = words.filter((word) => word !== ">=" && word !== "==").join(" ");
  const spdx = families.get(family);
  if (spdx === undefined || !/^\d(?:\.\d)?$/.test(number)) return byName.get(name) ?? knownLicense(name);
  const version = number.includes(".") ? number : `${number}.0`;
  if (spdx.endsWith("GPL")) return spdxExpression(`${spdx}-${version}-${isOpen ? "or-later" : "only"}`);
  return spdxExpression(`${spdx}-${version}${isOpen ? "+" : ""}`);
}

const families: ReadonlyMap<string, string> = new Map([
  ["AGPL", "AGPL"],
  ["GPL", "GPL"],
  ["GNU General Public License", "GPL"],
  ["LGPL", "LGPL"],
  ["Apache License", "Apache"],
  ["Artistic", "Artistic"],
]);

/** Abbreviations of R's own list that differ from the SPDX identifier. */
const byName: ReadonlyMap<string, string> = new Map([
  ["BSD_2_clause", "BSD-2-Clause"],
  ["BSD_3_clause", "BSD-3-Clause"],
  ["CC0", "CC0-1.0"],
]);

/** The project that has a library of its own, as renv makes it; empty for a library of all. */
function projectOf({ packageDb }: CoalescedPackage): string {
  const at = packageDb.indexOf("renv/library/");
  return at < 0 ? "" : packageDb.slice(0, at + 1);
}

const needed: ReadonlySet<string> = new Set(["depends", "imports", "linkingto"]);

/** Installed packages of R. */
export const r = defineLanguage({
  name: "r",
  ecosystem: "CRAN",
  repository: "cran",
  fileDetectors: [rDetector],
  lockFileDetectors: rLockFiles,
  versions: numericVersions,
  evidence: rEvidence,
  dependencies: dependenciesByName({
    namesIn: (need) => need.split(/[\s(]/, 1).filter((name) => name !== "R"),
    accepts: (found, _, from) => ["", projectOf(from)].includes(projectOf(found)),
  }),
  purl: ["cran"],
  assesses: ["r"],
});
