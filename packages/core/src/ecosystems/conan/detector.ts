/**
 * The description of an installed package of Conan, `conaninfo.txt`, which does not name the package:
 *
 * ```
 * {"[" section "]" {line}}            full_requires of Conan 1: references of the packages that it was built with
 * ```
 * Its folder does:
 *
 * ```
 * Conan 1       data/NAME/VERSION/USER/CHANNEL/package/ID/conaninfo.txt
 * full_deploy   full_deploy/(host|build)/NAME/VERSION/…/conaninfo.txt
 * direct_deploy direct_deploy/NAME/conaninfo.txt
 * Conan 2       p/[b/]NAME-AND-HASH/p/conaninfo.txt                    named by the database of the cache
 * ```
 * @see https://docs.conan.io/1/reference/conanfile/methods.html
 * @see https://docs.conan.io/2/reference/extensions/deployers.html
 */
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage } from "../language/proof.ts";
import { decodeText } from "../linux/text.ts";
import { isInCache } from "./cache-detector.ts";
import { type ConanPackage, conanPackage, parseReference } from "./reference.ts";

const inConan1 = /(?:^|\/)data\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\/(package|build)\/[^/]+\/conaninfo\.txt$/;
const deployed = /(?:^|\/)full_deploy\/(?:host|build)\/([^/]+)\/([^/]+)\/(?:[^/]+\/){0,4}conaninfo\.txt$/;
const direct = /(?:^|\/)direct_deploy\/([^/]+)\/conaninfo\.txt$/;
const maxBytes = 1024 ** 2;

/** Finds installed packages of Conan, except those in the cache of Conan 2. A description whose package is not known remains unassessed. */
export const conanDetector: FileDetector = {
  name: "conan-info",
  revision: 1,
  names: { endings: ["conaninfo.txt"] },
  wants: ({ path }: FileEntry) => path === "conaninfo.txt" || path.endsWith("/conaninfo.txt"),
  *detect(file: LayerFile): Iterable<Finding> {
    const { path } = file;
    if (isInCache(path)) return;
    const found = [...packageAt(path), ...requiredIn(file.bytes)];
    for (const each of found) yield provenPackage(file, each);
    if (found.length === 0 && !isBuildFolder(path)) yield { kind: "evidence", path, packages: "cpp", pieces: 1 };
  },
};

/** The package that the folders name. */
function packageAt(path: string): readonly ConanPackage[] {
  const [, name, version, user, channel] = inConan1.exec(path) ?? deployed.exec(path) ?? [];
  if (name !== undefined && version !== undefined) return [conanPackage({ name, version, user, channel })];
  const [, only] = direct.exec(path) ?? [];
  return only === undefined ? [] : [conanPackage({ name: only, version: "" })];
}

/** The packages that a package of Conan 1 was built with, and those of a project. */
function* requiredIn(bytes: Uint8Array): Iterable<ConanPackage> {
  let section = "";
  for (const line of decodeText(bytes.subarray(0, maxBytes)).split("\n")) {
    const heading = /^\[(\w+)\]\s*$/.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    else if (section === "full_requires") {
      const found = parseReference(line.trim());
      if (found !== undefined) yield found;
    }
  }
}

function isBuildFolder(path: string): boolean {
  return inConan1.exec(path)?.[5] === "build";
}
