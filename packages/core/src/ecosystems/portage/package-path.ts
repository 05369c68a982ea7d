/**
 * The folder of an installed package.
 *
 * ```
 * path    = "var/db/pkg/" category "/" name "-" version "/" file
 * version = number {"." number} [letter] {"_" ("alpha" | "beta" | "pre" | "rc" | "p") [number]} ["-r" number]
 * ```
 * A name has no part behind a hyphen that looks like a version, so that the first such part begins the version.
 *
 * @see https://projects.gentoo.org/pms/8/pms.html#x1-180003.1
 */
const place = /^var\/db\/pkg\/([^/]+)\/([^/]+)\/[^/]+$/;
const versionStart = /-(?=\d+(?:\.\d+)*[a-z]?(?:_(?:alpha|beta|pre|rc|p)\d*)*(?:-r\d+)?$)/;

/** Name with category, and version, of the package that a path belongs to. Undefined for other paths. */
export function splitPackage(path: string): { readonly name: string; readonly version: string } | undefined {
  const [, category, full] = place.exec(path) ?? [];
  const at = full?.search(versionStart) ?? -1;
  if (category === undefined || full === undefined || at < 1) return undefined;
  return { name: `${category}/${full.slice(0, at)}`, version: full.slice(at + 1) };
}
