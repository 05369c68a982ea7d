import type { LayerTree } from "./layer-tree.ts";
import { hashPath } from "./path-hash.ts";
import type { Problems } from "./problems.ts";

/** The target of a link after all links on the way. */
type LinkEnd =
  | { readonly kind: "file"; readonly path: string }
  /** The target is not in this layer; a lower layer may have it. */
  | { readonly kind: "nothing" }
  | { readonly kind: "loop" }
  | { readonly kind: "outside" };

const maxHardLinks = 40;

/** The wanted links to files of the layer, each with that file's path. Loops and links out of the root become problems. */
export function findWantedLinks(tree: LayerTree, problems: Problems): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of tree.wantedLinks.keys()) {
    const end = followLinks(tree, path);
    switch (end.kind) {
      case "file":
        found.set(path, end.path);
        break;
      case "loop":
        problems.add(
          path,
          "malformed_archive",
          `the link is part of a loop, or of a chain of more than ${maxHardLinks} links`,
        );
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
