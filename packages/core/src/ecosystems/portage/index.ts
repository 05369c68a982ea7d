import { coalesceRecords } from "../../index/coalesce-records.ts";
import type { FileDetector, FileEntry, FileOwners, LayerFile } from "../../plugins/detector.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { decodeText } from "../linux/text.ts";
import { portageEvidence } from "./evidence.ts";

/**
 * The folder of an installed package.
 *
 * ```
 * path    = "var/db/pkg/" category "/" name "-" version "/" file
 * version = number {"." number} [letter] {"_" ("alpha" | "beta" | "pre" | "rc" | "p") [number]} ["-r" number]
 * ```
 * A name must not end with a hyphen and a part that looks like a version. So the last hyphen before the revision ends the name.
 *
 * @see https://projects.gentoo.org/pms/8/pms.html#x1-180003.1
 */
const place = /^var\/db\/pkg\/([^/]+)\/([^/]+)\/[^/]+$/;
const revision = /-r\d+$/;
const version = /^\d+(?:\.\d+)*[a-z]?(?:_(?:alpha|beta|pre|rc|p)\d*)*$/;

/** The name with category, and the version, of a path's package; undefined for other paths. */
function splitPackage(path: string): { readonly name: string; readonly version: string } | undefined {
  const [, category, full] = place.exec(path) ?? [];
  if (category === undefined || full === undefined) return undefined;
  const plain = full.replace(revision, "");
  const at = plain.lastIndexOf("-");
  if (at < 1 || !version.test(plain.slice(at + 1))) return undefined;
  return { name: `${category}/${full.slice(0, at)}`, version: full.slice(at + 1) };
}

/** Finds the installed packages of Portage, by the paths of their folders, which have name and version. */
const portageDetector: FileDetector = {
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

/** `obj /usr/lib/libz.so.1.3 MD5 MTIME` */
const regular = /^obj \/(.+) [0-9a-f]+ \d+$/;

/** Lists the files that packages of Portage own, from each package's `CONTENTS`. */
const portageOwners: FileOwners = {
  name: "portage-owners",
  revision: 2,
  names: { endings: ["/CONTENTS"] },
  wants: portageDetector.wants,
  *owners(files) {
    for (const { path, bytes } of files) {
      const owner = splitPackage(path)?.name;
      if (owner === undefined) continue;
      const paths = decodeText(bytes)
        .split("\n")
        .flatMap((line) => regular.exec(line)?.[1] ?? []);
      yield { paths, owner, listedIn: path };
    }
  },
};

/** Packages of Portage: Gentoo and its derivatives. */
export const portage: Ecosystem = {
  name: "portage",
  detectors: [],
  fileDetectors: [portageDetector],
  fileOwners: [portageOwners],
  evidence: portageEvidence,
  matchers: [],
  purl: ["ebuild"],
  coalesce: coalesceRecords("portage"),
  assesses: ["portage"],
};
