/**
 * The description of an installed package: `var/lib/pacman/local/NAME-VERSION/desc`.
 *
 * ```
 * description = {"%" KEYWORD "%" line-end {value line-end} line-end}
 * ```
 * The detector uses `NAME`, `VERSION`, `BASE` (the source package, of the same version) and `ARCH`.
 *
 * @see https://gitlab.archlinux.org/pacman/pacman/-/blob/master/lib/libalpm/be_local.c
 */

import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { decodeHead } from "../language/head.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { isPlain, ownText, quoted } from "../linux/text.ts";

const place = /^var\/lib\/pacman\/local\/[^/]+\/desc$/;

/** Finds the installed packages of pacman, by their descriptions. */
export const pacmanDetector: FileDetector = {
  name: "pacman-local",
  revision: 1,
  names: { endings: ["/desc"] },
  wants: ({ path }: FileEntry) => path.endsWith("/desc") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const values = parseDescription(file.bytes);
    const [name, version, base, arch] = ["NAME", "VERSION", "BASE", "ARCH"].map((key) => values.get(key));
    if (name === undefined || version === undefined) {
      yield unreadable(file.path, "expected the name and version of a package, found none");
      return;
    }
    const found = provenPackage(file, { name, version, arch: arch === undefined ? undefined : ownText(arch) });
    if (found.kind !== "package") yield found;
    else if (!isPlain(base ?? "")) yield unreadable(file.path, `expected a short word, found ${quoted(base ?? "")}`);
    else yield { ...found, package: { ...found.package, source: { name: base ?? name, version, kind: "SOURCE" } } };
  },
};

/** The bytes that are read. The needed keywords come first, before dependencies. */
const headBytes = 256 * 1024;
const keyword = /^%([A-Z0-9]+)%$/;

/** Parses the first value of each keyword. */
function parseDescription(bytes: Uint8Array): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let name: string | undefined;
  for (const line of decodeHead(bytes, headBytes).split("\n")) {
    const found = keyword.exec(line)?.[1];
    if (found !== undefined) name = found;
    else if (line.trim() === "") name = undefined;
    else if (name !== undefined && !values.has(name)) values.set(name, line.trim());
  }
  return values;
}
