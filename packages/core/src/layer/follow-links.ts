import type { LayerTree } from "./layer-tree.ts";
import { hashPath } from "./path-hash.ts";
import type { Problems } from "./problems.ts";

/** Where a link ends. */
type LinkEnd =
  | { readonly kind: "file"; readonly path: string }
  /** At no file of this layer: a lower layer may have it, or none. */
  | { readonly kind: "nothing" }
  | { readonly kind: "loop" }
  | { readonly kind: "outside" };

const maxHardLinks = 40;

/** The wanted links that lead to a file of the layer, each with that file's path. Loops and escapes become problems. */
export function findWantedLinks(tree: LayerTree, problems: Problems): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of tree.wantedLinks.keys()) {
    const end = followLinks(tree, path);
    switch (end.kind) {
      case "file":
        found.set(path, end.path);
        break;
      case "loop":
        problems.add(path, "malformed_archive", "the link leads into a loop, or over more than 40 links");
        break;
      case "outside":
        problems.add(path, "malformed_archive", "the hard link leads out of the root");
        break;
      case "nothing":
        break;
    }
  }
  return found;
}

function followLinks(tree: LayerTree, path: string): LinkEnd {
  let current = path;
  for (let followed = 0; followed <= maxHardLinks; followed++) {
    const place = tree.symbolicLinks.resolve(current);
    if (place === undefined) return { kind: "loop" };
    const hash = hashPath(place);
    if (!tree.hardLinks.has(hash)) return tree.hasLeaf(place) ? { kind: "file", path: place } : { kind: "nothing" };
    const target = tree.hardLinks.get(hash);
    if (target === undefined) return { kind: "outside" };
    current = target;
  }
  return { kind: "loop" };
}
