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
import { decodeHead } from "../language/head.ts";

/** The bytes that are read. The needed keywords come first, before dependencies. */
const headBytes = 256 * 1024;
const keyword = /^%([A-Z0-9]+)%$/;

/** Parses the first value of each keyword. */
export function parseDescription(bytes: Uint8Array): ReadonlyMap<string, string> {
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
