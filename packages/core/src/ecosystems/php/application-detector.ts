/**
 * The application whose packages Composer has installed. Composer 2 states it in PHP, without evaluation of which only the first texts are read:
 *
 * ```
 * file = "<?php return array(" "'root' => array(" "'name' => " text "," "'pretty_version' => " text "," …
 * ```
 * @see https://github.com/composer/composer/blob/2.8.0/src/Composer/Repository/FilesystemRepository.php
 */
import { ScanError } from "../../errors.ts";
import { isObject, textOf } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { decodeHead } from "../language/head.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage } from "../language/proof.ts";
import { isPlain } from "../linux/text.ts";

const installed = /(?:^|\/)composer\/installed\.php$/;
/** The description of a project, not of one of its packages. */
const described = /^(?!(?:.*\/)?vendor\/)(?:.*\/)?composer\.json$/;

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
  revision: 2,
  names: { endings: ["composer.json", "/installed.php"] },
  wants: ({ path }: FileEntry) => path.includes("composer") && (installed.test(path) || described.test(path)),
  *detect(file: LayerFile): Iterable<Finding> {
    const isList = installed.test(file.path);
    const [name, stated] = isList ? rootOf(file) : describedBy(file);
    if (!name.includes("/") || !isPlain(name) || !isPlain(stated)) return;
    const version = noRelease.test(stated) ? "" : stated;
    if (isList) yield provenPackage(file, { name, version });
    else yield provenPackage(file, { name, version, dependenciesIn: [file.path.replace(/composer\.json$/, "vendor")] });
  },
};

function rootOf({ bytes }: LayerFile): readonly [string, string] {
  const [, name = "", version = ""] = root.exec(decodeHead(bytes, headBytes)) ?? [];
  return [name, version];
}

const maxBytes = 4 * 1024 ** 2;

/** A file that cannot be read describes no application: it may be a template. */
function describedBy(file: LayerFile): readonly [string, string] {
  try {
    const json = readJson(file, maxBytes);
    return isObject(json) ? [textOf(json.name), textOf(json.version)] : ["", ""];
  } catch (error) {
    if (error instanceof ScanError) return ["", ""];
    throw error;
  }
}
