import type { FileEntry } from "../plugins/detector.ts";
import type { TarEntry, TarVisitor, Watcher } from "../tar/entry.ts";
import { entryBytes, FileContents, type FileContentsOptions } from "./file-contents.ts";
import type { KeptFile, LayerShape } from "./layer-contents.ts";
import { SymbolicLinks } from "./links.ts";
import { hashFolders, hashPath } from "./path-hash.ts";
import { PathTable } from "./path-table.ts";
import { joinPath, nameOf, normalizePath, parentOf } from "./paths.ts";

/**
 * Builds the file tree of one layer from its entries, in archive order. Later entries replace earlier ones. An entry below
 * a symbolic link of the same layer is placed at the link's target. Keeps the content of wanted files, the targets of links
 * and a hash of every path; nothing else of other files.
 */
export class LayerTree implements TarVisitor {
  readonly symbolicLinks = new SymbolicLinks();
  /** Normalized targets of hard links by the hash of their path; undefined for a target outside the root. */
  readonly hardLinks = new Map<number, string | undefined>();
  /** The targets of hard links that the layer did not have when the link came, by their real paths. Nearly all links come after their files. */
  readonly earlyHardLinks = new Map<string, string>();
  /** The targets of symbolic links, as written, by their real paths. */
  readonly links = new Map<string, string>();
  /** Links that a detector wants, and files that one wants below a link, by their paths. */
  readonly wantedLinks = new Map<string, FileEntry>();
  entries = 0;
  readonly #options: FileContentsOptions;
  readonly #contents: FileContents;
  /** The kind of the last entry of each path, and the folders that paths imply. */
  readonly #paths: PathTable;
  readonly #removed: PathTable;
  readonly #opaque: PathTable;
  /** The folder of the last entry, as written and with links resolved. Consecutive entries are mostly in the same folder. */
  #lastFolder: { readonly written: string; readonly real: string | undefined } = { written: "", real: "" };

  constructor(options: FileContentsOptions) {
    const { maxEntries } = options.limits;
    this.#options = options;
    this.#paths = new PathTable(maxEntries);
    this.#contents = new FileContents(options);
    this.#removed = new PathTable(maxEntries);
    this.#opaque = new PathTable(maxEntries);
  }

  entry(entry: TarEntry): boolean | Watcher {
    this.entries++;
    const written = normalizePath(entry.name);
    if (written === undefined) {
      this.#options.problems.add(entry.name, "malformed_archive", "the name leads out of the root; entry skipped");
      return false;
    }
    if (written === "") return false; // the root itself
    const parent = parentOf(written);
    const folder = this.#realFolder(parent);
    if (folder === undefined) {
      const isWanted = this.#contents.findWanted(written, entry) !== undefined;
      if (isWanted)
        this.#options.problems.add(written, "malformed_archive", "its folder is a loop of links; entry skipped");
      return false;
    }
    const path = folder === parent ? written : joinPath(folder, nameOf(written));
    const whiteout = readWhiteout(path);
    if (whiteout === undefined) return this.#place(path, written, entry);
    this.#addWhiteout(whiteout);
    return false;
  }

  content(entry: TarEntry, bytes: Uint8Array): void {
    this.#contents.content(entry, bytes);
  }

  /** The wanted files that the finished layer contains, by the path of their content. */
  keptFiles(): ReadonlyMap<string, KeptFile> {
    return new Map([...this.#contents.kept].filter(([contentPath]) => this.hasLeaf(contentPath)));
  }

  /** Whether the finished layer contains the path, and it is not a folder. */
  hasLeaf(path: string): boolean {
    return this.#paths.get(hashPath(path)) === "leaf" && this.#isReachable(path);
  }

  /** The effect of the layer on those below. */
  shape(): LayerShape {
    return {
      removed: this.#removed.paths("leaf"),
      opaque: this.#opaque.paths("folder"),
      leaves: this.#paths.paths("leaf"),
      folders: this.#paths.paths("folder"),
    };
  }

  #addWhiteout(whiteout: Whiteout): void {
    if (whiteout.kind === "opaque") this.#opaque.set(hashPath(whiteout.folder), "folder");
    if (whiteout.kind === "removed") this.#removed.set(hashPath(whiteout.path), "leaf");
  }

  /** Adds an entry at its real path; returns whether its content is wanted, or the watcher of it. */
  #place(path: string, written: string, entry: TarEntry): boolean | Watcher {
    const hash = hashPath(path);
    if (this.#paths.get(hash) === "leaf") this.#forget(path, hash);
    this.#paths.set(hash, entry.kind === "folder" ? "folder" : "leaf");
    switch (entry.kind) {
      case "file":
        return this.#contents.begin(path, written, entry);
      case "hard-link":
      case "symbolic-link":
        this.#placeLink(path, hash, entry);
        return false;
      default:
        return false;
    }
  }

  /** Discards everything from an earlier entry of the same path. */
  #forget(path: string, hash: number): void {
    this.symbolicLinks.delete(hash);
    this.hardLinks.delete(hash);
    this.earlyHardLinks.delete(path);
    this.wantedLinks.delete(path);
    if (this.links.delete(path))
      for (const name of this.#contents.namesBelow(path)) this.wantedLinks.delete(`${path}/${name}`);
    this.#contents.forget(path);
  }

  #placeLink(path: string, hash: number, entry: TarEntry): void {
    this.#options.budget.take(path.length + entry.linkName.length + entryBytes);
    if (entry.kind === "hard-link") {
      const target = normalizePath(entry.linkName);
      this.hardLinks.set(hash, target);
      if (target !== undefined && this.#paths.get(hashPath(target)) !== "leaf") this.earlyHardLinks.set(path, target);
    } else {
      this.symbolicLinks.set(hash, entry.linkName);
      this.links.set(path, entry.linkName);
      this.#lastFolder = { written: "", real: "" }; // the new link may be on the way to that folder
      this.#contents.seeLink(path, entry.linkName);
    }
    const info = this.#contents.findRead(path, entry);
    if (info !== undefined) this.wantedLinks.set(path, info);
    if (entry.kind === "symbolic-link") {
      for (const name of this.#contents.namesBelow(path)) {
        const below = `${path}/${name}`;
        this.wantedLinks.set(below, { path: below, kind: "symbolic-link", sizeBytes: 0, mode: entry.mode });
      }
    }
  }

  /** The real path of a folder; adds it and the folders above it to the tree. Undefined for a loop of links. */
  #realFolder(written: string): string | undefined {
    if (written === this.#lastFolder.written) return this.#lastFolder.real;
    let hashes = hashFolders(`${written}/`);
    let real: string | undefined = written;
    if (this.symbolicLinks.hasAny(hashes)) {
      real = this.symbolicLinks.resolve(written);
      hashes = real === undefined ? [] : hashFolders(`${real}/`);
    }
    for (let index = hashes.length - 1; index >= 0; index--) {
      const hash = hashes[index] ?? 0;
      if (this.#paths.get(hash) === "folder") break; // the folders above it are known too
      this.#paths.set(hash, "folder");
    }
    this.#lastFolder = { written, real };
    return real;
  }

  /** Whether all folders above a path are still folders at the end. */
  #isReachable(path: string): boolean {
    return hashFolders(path).every((hash) => this.#paths.get(hash) !== "leaf");
  }
}

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
