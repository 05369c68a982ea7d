import { ScanError } from "../../errors.ts";
import { licenseChoice } from "../../licenses/spdx.ts";
import { isObject, type JsonObject, memberOf, objectsOf, textOf } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import type { PackageDetails } from "../../model/package-details.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { versionIn } from "./branches.ts";

const place = /(?:^|\/)composer\/installed\.json$/;

/** The packages of the list that Composer 2 writes beside, which are the same: `installed.php:versions`. */
const listedInPhp = "php:versions";

/** The largest list that is read. Composer writes a few kilobytes per package. */
const maxBytes = 64 * 1024 ** 2;

/**
 * Finds the packages that Composer has installed, by the list in its vendor folder: an array (Composer 1), or an object
 * with a member `packages` (Composer 2).
 * @see https://github.com/composer/composer/blob/2.8.0/src/Composer/Repository/FilesystemRepository.php
 */
export const composerDetector: FileDetector = {
  name: "composer-installed",
  revision: 4,
  names: { endings: ["/installed.json"] },
  wants: ({ path }: FileEntry) => path.endsWith("/installed.json") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const json = readJson(file, maxBytes);
    for (const [index, entry] of packagesOf(json).entries()) yield findingOf(file, entry, index);
    yield { kind: "listing", path: file.path, files: [file.path.replace(/json$/, listedInPhp)] };
  },
};

function packagesOf(json: Json): readonly Json[] {
  const packages = isObject(json) ? json.packages : json;
  if (isArray(packages)) return packages;
  throw new ScanError("malformed_package_db", "expected a list of packages, found something else");
}

function isArray(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json);
}

function findingOf(file: LayerFile, entry: Json, index: number): Finding {
  const name = isObject(entry) ? textOf(entry.name) : "";
  if (name === "" || !isObject(entry)) {
    return unreadable(file.path, "expected a package with a name, found none", `entry ${index}`);
  }
  return provenPackage(file, { name, version: versionIn(entry), details: detailsOf(entry) });
}

/** What a description of Composer says. Of several licences, the user may choose. @see https://getcomposer.org/doc/04-schema.md#license */
export function detailsOf(entry: JsonObject): PackageDetails {
  const { license, authors, homepage, description, source, dist, require, replace, provide } = entry;
  const names = (isArray(license) ? license : [license]).map((each) => ({ text: textOf(each) }));
  const people = objectsOf(authors).map(({ name, email }) => [textOf(name), textOf(email) && `<${textOf(email)}>`]);
  return {
    licenses: licenseChoice(names),
    authors: people.map((parts) => parts.filter(Boolean).join(" ")),
    homepage: textOf(homepage),
    description: textOf(description),
    sourceAddress: textOf(memberOf(source, "url")),
    downloadAddress: textOf(memberOf(dist, "url")),
    requires: namesIn(require),
    provides: [...namesIn(replace), ...namesIn(provide)],
  };
}

/** Names of packages; those without a slash are PHP itself and its extensions. */
function namesIn(links: Json | undefined): readonly string[] {
  return Object.keys(isObject(links) ? links : {}).filter((name) => name.includes("/"));
}
