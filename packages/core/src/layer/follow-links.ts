import type { FileEntry } from "../plugins/detector.ts";
import type { SymlinkFinding } from "../plugins/finding.ts";
import type { LayerTree } from "./layer-tree.ts";
import type { SymbolicLinks } from "./links.ts";
import { hashPath } from "./path-hash.ts";
import { parentOf } from "./paths.ts";
import type { Problems } from "./problems.ts";

/** The target of a link after all links on the way. */
type LinkEnd =
  | { readonly kind: "file"; readonly path: string }
  /** The target is not in this layer; a lower layer may have it. */
  | { readonly kind: "nothing"; readonly path: string }
  | { readonly kind: "loop" }
  | { readonly kind: "outside" };

const maxHardLinks = 40;

/** Which links of a layer are followed. */
export interface WantedLinks {
  /** Whether a detector that reads several files wants a file. */
  readonly wants: (file: FileEntry) => boolean;
  /** Whether the content is to be read for the link. */
  readonly isRead: (link: FileEntry, contentPath: string) => boolean;
  readonly problems: Problems;
}

/** The wanted links to files of the layer, each with that file's path. Loops and links out of the root become problems. */
export function findWantedLinks(
  tree: LayerTree,
  { wants, isRead, problems }: WantedLinks,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [path, info] of tree.wantedLinks) {
    const end = followLinks(tree, path);
    switch (end.kind) {
      case "file":
        if (isRead(info, end.path)) found.set(path, end.path);
        break;
      case "loop":
        if (info.kind === "symbolic-link" && !wants(info)) break; // the file of an ordinary program, which has none
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

/** The links of one layer that are kept: ordinary layers have a few dozen that do not lead to a file of their own. */
const maxOpenLinks = 10_000;

/** The links between packages of Nix are absolute, and lead to the packages themselves. */
const nixStore = "nix/store/";

/** The files and links of a layer, or of a folder. */
export interface LinkedTree extends Pick<LayerTree, "hasLeaf" | "links"> {
  readonly symbolicLinks: Pick<SymbolicLinks, "resolve">;
}

/**
 * The symbolic links of the layer through which a path may lead elsewhere in the image: those that do not lead to a file of the layer, and those
 * through which a file was read.
 * @param read the paths of contents that were read, by their paths through links
 */
export function findOpenLinks(
  tree: LinkedTree,
  read: ReadonlyMap<string, string>,
  problems: Pick<Problems, "add">,
): readonly SymlinkFinding[] {
  const found: SymlinkFinding[] = [];
  const readBy = Map.groupBy(read, ([path]) => (tree.links.has(path) ? path : parentOf(path)));
  for (const [path, target] of tree.links) {
    const through = readBy.get(path);
    if (through === undefined && (path.startsWith(nixStore) || leadsToFile(tree, path))) continue;
    if (!tree.hasLeaf(path)) continue;
    if (found.length === maxOpenLinks) {
      problems.add(
        path,
        "entry_limit",
        `expected at most ${maxOpenLinks} links to folders, found more: they are not followed`,
      );
      break;
    }
    found.push({ kind: "symlink", path, target, read: through && Object.fromEntries(through) });
  }
  return found;
}

/** The hard links of the layer to files that it does not have. They are files of lower layers. */
export function findOpenHardLinks(tree: LayerTree, problems: Pick<Problems, "add">): readonly SymlinkFinding[] {
  const found: SymlinkFinding[] = [];
  for (const path of tree.earlyHardLinks.keys()) {
    const end = followLinks(tree, path);
    if (end.kind !== "nothing" || !tree.hasLeaf(path)) continue;
    if (found.length === maxOpenLinks) {
      problems.add(path, "entry_limit", `expected at most ${maxOpenLinks} hard links to other layers, found more`);
      break;
    }
    found.push({ kind: "symlink", path, target: `/${end.path}`, isHard: true });
  }
  return found;
}

function leadsToFile(tree: LinkedTree, path: string): boolean {
  const end = tree.symbolicLinks.resolve(path);
  return end !== undefined && tree.hasLeaf(end);
}

function followLinks(tree: LayerTree, path: string): LinkEnd {
  let current = path;
  for (let followed = 0; followed <= maxHardLinks; followed++) {
    const place = tree.symbolicLinks.resolve(current);
    if (place === undefined) return { kind: "loop" };
    const hash = hashPath(place);
    if (!tree.hardLinks.has(hash))
      return tree.hasLeaf(place) ? { kind: "file", path: place } : { kind: "nothing", path: place };
    const target = tree.hardLinks.get(hash);
    if (target === undefined) return { kind: "outside" };
    current = target;
  }
  return { kind: "loop" };
}
