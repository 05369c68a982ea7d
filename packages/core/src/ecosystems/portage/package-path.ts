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
export function splitPackage(path: string): { readonly name: string; readonly version: string } | undefined {
  const [, category, full] = place.exec(path) ?? [];
  if (category === undefined || full === undefined) return undefined;
  const plain = full.replace(revision, "");
  const at = plain.lastIndexOf("-");
  if (at < 1 || !version.test(plain.slice(at + 1))) return undefined;
  return { name: `${category}/${full.slice(0, at)}`, version: full.slice(at + 1) };
}
