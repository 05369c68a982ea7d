/**
 * The application whose packages Composer has installed, and the packages. Composer 2 states them in PHP, of which the texts are read without evaluation:
 *
 * ```
 * file    = "<?php return array(" "'root' => array(" name "'pretty_version' => " text "," … ")," "'versions' => array(" {package} …
 * name    = "'name' => " text ","
 * package = text "=> array(" "'pretty_version' => " text "," … ")"         one that another replaces has no version
 * ```
 * @see https://github.com/composer/composer/blob/2.8.0/src/Composer/Repository/FilesystemRepository.php
 */
import { wholeOf } from "../../bytes/byte-parts.ts";
import { ScanError } from "../../errors.ts";
import { joinPath, parentOf } from "../../layer/paths.ts";
import { isObject, type JsonObject, textOf } from "../../model/json-object.ts";
import { packageDetails } from "../../model/package-details.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { decodeHead } from "../language/head.ts";
import { readJson } from "../language/json-file.ts";
import { type Proof, provenPackage } from "../language/proof.ts";
import { isPlain } from "../linux/text.ts";
import { aliasOr } from "./branches.ts";
import { detailsOf } from "./detector.ts";

const installed = /(?:^|\/)composer\/installed\.php$/;
/** The description of a project, not of one of its packages. */
const describes = /^(?!(?:.*\/)?vendor\/)(?:.*\/)?composer\.json$/;

const headBytes = 4096;
const root = /'root'\s*=>\s*array\(\s*'name'\s*=>\s*'([^'\\]*)',\s*'pretty_version'\s*=>\s*'([^'\\]*)'/;

/** A branch, and what Composer writes if no version is stated. */
const noRelease = /^dev-|-dev$|\+no-version-set$|^0\.0\.0$/;

/**
 * Finds the application beside whose `composer.json` its packages are installed. Its version is that of a tag mostly, which is not in its files: it is then
 * not known.
 */
export const composerApplicationDetector: FileDetector = {
  name: "composer-application",
  revision: 5,
  names: { endings: ["composer.json", "/installed.php"] },
  wants: ({ path }: FileEntry) => path.includes("composer") && (installed.test(path) || describes.test(path)),
  *detect(file: LayerFile): Iterable<Finding> {
    const isList = installed.test(file.path);
    if (isList) yield* packagesOf(file);
    const json = isList ? undefined : describedBy(file);
    const [name, stated] = json === undefined ? rootOf(file) : [textOf(json.name), textOf(json.version)];
    if (!name.includes("/") || !isPlain(name) || !isPlain(stated)) return;
    const version = noRelease.test(stated) ? "" : stated;
    if (json === undefined) yield provenPackage(file, { name, version });
    else yield* described(file, { name, version, details: detailsOf(json) });
  },
};

/** The application, and what its description says about it where the list of its packages has its version. */
function* described({ path }: LayerFile, proof: Proof): Iterable<Finding> {
  const vendor = vendorOf(path);
  yield provenPackage({ path }, { ...proof, dependenciesIn: [vendor] });
  const details = packageDetails(proof.details ?? {});
  if (details !== undefined) yield { kind: "details", path, of: joinPath(vendor, "composer/installed.php"), details };
}

/** The folder of the packages of a project, of its description or of a list in the folder. */
export function vendorOf(packageDb: string): string {
  const [, listed] = /^(.*?)\/?composer\/installed\.(?:json|php)(?::versions)?$/.exec(packageDb) ?? [];
  return listed ?? joinPath(parentOf(packageDb), "vendor");
}

function rootOf({ bytes }: LayerFile): readonly [string, string] {
  const [, name = "", version = ""] = root.exec(decodeHead(bytes, headBytes)) ?? [];
  return [name, version];
}

const maxListBytes = 16 * 1024 ** 2;
const named =
  /'([a-z0-9][\w.-]{0,99}\/[\w.-]{1,100})'\s{0,9}=>\s{0,9}array\(\s{0,99}'pretty_version'\s{0,9}=>\s{0,9}'([^'\\]{1,100})'/gi;
/** The alias of a branch: `'aliases' => array(0 => '5.4.x-dev')`. */
const aliased = /'aliases'\s{0,9}=>\s{0,9}array\(\s{0,99}0\s{0,9}=>\s{0,9}'([^'\\]{1,100})'/;

/** The packages of the list, which are also in `installed.json` where that was not left out. */
function* packagesOf(file: LayerFile): Iterable<Finding> {
  const text = new TextDecoder().decode(wholeOf(file, maxListBytes));
  const rootName = root.exec(text)?.[1];
  const entries = [...text.matchAll(named)];
  for (const [at, { 1: name = "", 2: version = "", index }] of entries.entries()) {
    const alias = aliased.exec(text.slice(index, entries[at + 1]?.index))?.[1] ?? "";
    if (name !== rootName) yield provenPackage(file, { name, version: aliasOr(version, alias), within: "versions" });
  }
}

const maxBytes = 4 * 1024 ** 2;

/** A file that cannot be read describes no application: it may be a template. */
function describedBy(file: LayerFile): JsonObject {
  try {
    const json = readJson(file, maxBytes);
    return isObject(json) ? json : {};
  } catch (error) {
    if (error instanceof ScanError) return {};
    throw error;
  }
}
