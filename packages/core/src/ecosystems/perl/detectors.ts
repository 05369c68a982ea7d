import { ScanError } from "../../errors.ts";
import { joinPath, parentOf } from "../../layer/paths.ts";
import { isObject, type JsonObject, memberOf, textOf } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import { type PackageDetails, packageDetails } from "../../model/package-details.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage, unreadable } from "../language/proof.ts";

/** `auto/JSON/XS/.packlist` lists the files of JSON::XS, without its version. The list of Perl itself is not in a folder `auto`. */
const [folderOfLists, packlist] = ["/auto/", "/.packlist"];
/** `.meta/JSON-XS-4.03/MYMETA.json`, the metadata that cpanminus stores for each installed distribution. */
const metadata = /(?:^|\/)\.meta\/[^/]+\/MYMETA\.json$/;
/** The largest metadata that are read. They list the modules of one distribution. */
const maxBytes = 16 * 1024 ** 2;

/**
 * Finds installed distributions of Perl modules by their lists of files. The name is that of the main module with dashes.
 * @see https://metacpan.org/pod/ExtUtils::Packlist
 */
export const packlistDetector: FileDetector = {
  name: "perl-packlist",
  revision: 1,
  names: { endings: [packlist] },
  wants: ({ path }: FileEntry) => moduleOf(path) !== undefined,
  *detect(file: LayerFile): Iterable<Finding> {
    const name = moduleOf(file.path);
    if (name !== undefined) yield provenPackage(file, { name, version: "" });
  },
};

/** `JSON-XS` of `…/auto/JSON/XS/.packlist`. */
function moduleOf(path: string): string | undefined {
  if (!path.endsWith(packlist)) return undefined;
  const folder = `/${path.slice(0, -packlist.length)}`;
  const at = folder.lastIndexOf(folderOfLists);
  const name = folder.slice(at + folderOfLists.length);
  return at < 0 || name === "" ? undefined : name.replaceAll("/", "-");
}

/**
 * Finds distributions of Perl modules that cpanminus has installed, with their versions.
 * @see https://metacpan.org/pod/CPAN::Meta::Spec
 */
export const metadataDetector: FileDetector = {
  name: "perl-metadata",
  revision: 4,
  names: { endings: ["/MYMETA.json"] },
  wants: ({ path }: FileEntry) => path.endsWith("/MYMETA.json") && metadata.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const json = readJson(file, maxBytes);
    const name = isObject(json) ? textOf(json.name) : "";
    if (!isObject(json) || name === "") {
      yield unreadable(file.path, "expected the name of a Perl distribution, found none");
      return;
    }
    const version = typeof json.version === "number" ? String(json.version) : textOf(json.version);
    yield provenPackage(file, { name: name.replaceAll("::", "-"), version, details: detailsOf(json) });
  },
};

/** The modules of a distribution, which cpanminus writes beside its metadata. */
export const providesDetector: FileDetector = {
  name: "perl-provides",
  revision: 1,
  names: { endings: ["/install.json"] },
  wants: ({ path }: FileEntry) => path.endsWith("/install.json") && /(?:^|\/)\.meta\/[^/]+\/install\.json$/.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const details = packageDetails({ provides: modulesIn(memberOf(readIfSound(file), "provides")) });
    const of = joinPath(parentOf(file.path), "MYMETA.json");
    if (details !== undefined) yield { kind: "details", path: file.path, of, details };
  },
};

/** A file that cannot be read says nothing more. */
function readIfSound(file: LayerFile): Json | undefined {
  try {
    return readJson(file, maxBytes);
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}

function modulesIn(modules: Json | undefined): readonly string[] {
  return isObject(modules) ? Object.keys(modules) : [];
}

/** The licences that the specification names with their versions. `bsd` is that with three clauses, `freebsd` that with two. @see https://metacpan.org/pod/CPAN::Meta::Spec#license */
const expressions: ReadonlyMap<string, string> = new Map([
  ["agpl_3", "AGPL-3.0-only"],
  ["apache_1_1", "Apache-1.1"],
  ["apache_2_0", "Apache-2.0"],
  ["artistic_1", "Artistic-1.0"],
  ["artistic_2", "Artistic-2.0"],
  ["bsd", "BSD-3-Clause"],
  ["freebsd", "BSD-2-Clause"],
  ["gfdl_1_2", "GFDL-1.2-only"],
  ["gfdl_1_3", "GFDL-1.3-only"],
  ["gpl_1", "GPL-1.0-only"],
  ["gpl_2", "GPL-2.0-only"],
  ["gpl_3", "GPL-3.0-only"],
  ["lgpl_2_1", "LGPL-2.1-only"],
  ["lgpl_3_0", "LGPL-3.0-only"],
  ["mit", "MIT"],
  ["mozilla_1_0", "MPL-1.0"],
  ["mozilla_1_1", "MPL-1.1"],
  ["openssl", "OpenSSL"],
  ["perl", "Artistic-1.0-Perl OR GPL-1.0-or-later"], // in version 1 of the specification
  ["perl_5", "Artistic-1.0-Perl OR GPL-1.0-or-later"],
  ["qpl_1_0", "QPL-1.0"],
  ["sun", "SISSL"],
  ["zlib", "Zlib"],
]);

function detailsOf({ license, author, abstract, resources, prereqs, provides }: JsonObject): PackageDetails {
  const texts = (value: Json | undefined) => (Array.isArray(value) ? value.map(textOf) : [textOf(value)]);
  const needed = (kind: string) =>
    modulesIn(memberOf(memberOf(prereqs, "runtime"), kind)).filter((name) => name !== "perl");
  return {
    licenses: texts(license).map((text) => ({
      text: text === "unknown" ? "" : text,
      expression: expressions.get(text),
    })),
    authors: texts(author),
    description: textOf(abstract) === "unknown" ? "" : textOf(abstract),
    homepage: textOf(memberOf(resources, "homepage")),
    sourceAddress: textOf(memberOf(memberOf(resources, "repository"), "url")),
    requires: needed("requires"),
    recommends: needed("recommends"),
    provides: modulesIn(provides),
  };
}
