import { joinPath, nameOf, parentOf } from "./paths.ts";

/** The meaning of an entry whose name begins with `.wh.` for the layers below. */
export type Whiteout =
  | { readonly kind: "removed"; readonly path: string }
  | { readonly kind: "opaque"; readonly folder: string }
  /** Internal files of aufs, and names that mark nothing. */
  | { readonly kind: "ignored" };

const prefix = ".wh.";
const opaqueName = ".wh..wh..opq";
const bookkeepingPrefix = ".wh..wh.";

/**
 * The whiteout at a path; undefined for ordinary files. Only the beginning of the last segment counts: `usr/bin/which` and
 * files in a folder `.wh.b` are ordinary.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/layer.md#whiteouts
 */
export function readWhiteout(path: string): Whiteout | undefined {
  const name = nameOf(path);
  if (!name.startsWith(prefix)) return undefined;
  const folder = parentOf(path);
  if (name === opaqueName) return { kind: "opaque", folder };
  const removed = name.slice(prefix.length);
  const marksNothing = removed === "" || removed === "." || removed === "..";
  if (name.startsWith(bookkeepingPrefix) || marksNothing) return { kind: "ignored" };
  return { kind: "removed", path: joinPath(folder, removed) };
}
