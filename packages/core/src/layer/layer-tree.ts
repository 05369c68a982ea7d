import type { ByteParts } from "../bytes/byte-parts.ts";
import type { Limits } from "../bytes/limits.ts";
import type { MemoryBudget } from "../bytes/memory-budget.ts";
import { type LayerEvidence, minExecutableBytes } from "../evidence/layer-evidence.ts";
import type { BuildMark, FileInfo } from "../plugins/detector.ts";
import type { Scratch } from "../ports.ts";
import type { TarEntry, TarVisitor, Watcher } from "../tar/entry.ts";
import type { FileInspection } from "./file-inspection.ts";
import { keptFile } from "./kept-file.ts";
import type { KeptFile, LayerShape } from "./layer-contents.ts";
import { SymbolicLinks } from "./links.ts";
import { type Gathering, PassingBytes } from "./passing-bytes.ts";
import { hashFolders, hashPath } from "./path-hash.ts";
import { PathTable } from "./path-table.ts";
import { joinPath, nameOf, normalizePath, parentOf } from "./paths.ts";
import type { Problems } from "./problems.ts";
import { ScratchBytes, scratchFromBytes } from "./scratch-bytes.ts";
import { readWhiteout, type Whiteout } from "./whiteout.ts";

/** What keeping an entry takes besides its texts and its content. */
const entryBytes = 150;

/** What a tree is built with. */
export interface LayerTreeOptions {
  readonly wants: (file: FileInfo) => boolean;
  readonly limits: Limits;
  readonly budget: MemoryBudget;
  readonly problems: Problems;
  /** Where evidence of packages is noted; absent when the layer is read for the second time. */
  readonly evidence?: LayerEvidence;
  /** What looks at single files as they pass; absent when the layer is read for the second time. */
  readonly inspection?: FileInspection;
  /** Where large contents are kept. */
  readonly scratch?: Scratch;
}

/** A file whose content comes next. A file is asked for by its real path, then by the one it was written with. */
interface NextFile {
  readonly info: FileInfo;
  readonly isKept: boolean;
  readonly contentPath: string;
  readonly watcher: Watcher | false;
  /** Marks of the program that it turns out to be. */
  readonly marks: readonly BuildMark[];
}

/**
 * The files of one layer as its entries make them, in archive order: later entries replace earlier ones, and an entry
 * below a symbolic link of the same layer stands where the link leads. Keeps the content of wanted files, the targets
 * of links and a hash of every path; nothing of other files.
 */
export class LayerTree implements TarVisitor {
  readonly symbolicLinks = new SymbolicLinks();
  /** Targets of hard links, normalized, by hash of their path; undefined for one that climbs out of the root. */
  readonly hardLinks = new Map<number, string | undefined>();
  /** Wanted links by their paths, and hard links that are inspected. */
  readonly wantedLinks = new Map<string, FileInfo>();
  entries = 0;
  /** Wanted files by the path where their content stands. */
  readonly #files = new Map<string, KeptFile>();
  readonly #options: LayerTreeOptions;
  /** What the last entry of each path is, and the folders that paths imply. */
  readonly #paths: PathTable;
  /** Contents that are looked at once. */
  readonly #passing: PassingBytes;
  readonly #removed: PathTable;
  readonly #opaque: PathTable;
  /** The folder of the last entry as written, and where it really is: neighbours mostly share it. */
  #lastFolder: { readonly written: string; readonly real: string | undefined } = { written: "", real: "" };
  /** The file whose content comes next. */
  #next: NextFile | undefined;

  constructor(options: LayerTreeOptions) {
    const { maxEntries } = options.limits;
    this.#options = options;
    this.#paths = new PathTable(maxEntries);
    this.#passing = new PassingBytes(options.scratch);
    this.#removed = new PathTable(maxEntries);
    this.#opaque = new PathTable(maxEntries);
  }

  entry(entry: TarEntry): boolean | Watcher {
    this.entries++;
    const written = normalizePath(entry.name);
    if (written === undefined) {
      this.#options.problems.add(entry.name, "malformed_archive", "the name climbs out of the root; entry skipped");
      return false;
    }
    if (written === "") return false; // the root itself
    const parent = parentOf(written);
    const folder = this.#realFolder(parent);
    if (folder === undefined) {
      const isWanted = this.#wanted(written, entry) !== undefined;
      if (isWanted) this.#options.problems.add(written, "malformed_archive", "its folder is a loop of links; skipped");
      return false;
    }
    const path = folder === parent ? written : joinPath(folder, nameOf(written));
    const whiteout = readWhiteout(path);
    if (whiteout === undefined) return this.#place(path, written, entry);
    this.#remember(whiteout);
    return false;
  }

  content(entry: TarEntry, bytes: Uint8Array): void {
    if (this.#next === undefined) return;
    if (this.#next.watcher !== false) this.#next.watcher(bytes);
    this.#take(this.#next, entry, bytes);
  }

  /** The wanted files that are there at the end, by the path where their content stands. */
  keptFiles(): ReadonlyMap<string, KeptFile> {
    return new Map([...this.#files].filter(([contentPath]) => this.hasLeaf(contentPath)));
  }

  /** Whether the path is in the finished layer and no folder. */
  hasLeaf(path: string): boolean {
    return this.#paths.get(hashPath(path)) === "leaf" && this.#isReachable(path);
  }

  /** What the layer does to those below. */
  shape(): LayerShape {
    return {
      removed: this.#removed.paths("leaf"),
      opaque: this.#opaque.paths("folder"),
      leaves: this.#paths.paths("leaf"),
      folders: this.#paths.paths("folder"),
    };
  }

  #remember(whiteout: Whiteout): void {
    if (whiteout.kind === "opaque") this.#opaque.set(hashPath(whiteout.folder), "folder");
    if (whiteout.kind === "removed") this.#removed.set(hashPath(whiteout.path), "leaf");
  }

  /** Notes an entry at its real path; whether its content is wanted. */
  #place(path: string, written: string, entry: TarEntry): boolean | Watcher {
    const hash = hashPath(path);
    if (this.#paths.get(hash) === "leaf") this.#forget(path, hash);
    this.#paths.set(hash, entry.kind === "folder" ? "folder" : "leaf");
    switch (entry.kind) {
      case "file":
        return this.#placeFile(path, written, entry);
      case "hard-link":
      case "symbolic-link":
        this.#placeLink(path, hash, entry);
        return false;
      default:
        return false;
    }
  }

  /** Forgets what an earlier entry of the same path brought. */
  #forget(path: string, hash: number): void {
    this.symbolicLinks.delete(hash);
    this.hardLinks.delete(hash);
    this.#files.delete(path);
    this.wantedLinks.delete(path);
    this.#options.evidence?.forget(path);
    this.#options.inspection?.forget(path);
  }

  #placeFile(path: string, written: string, entry: TarEntry): boolean | Watcher {
    const found = this.#wanted(path, entry) ?? (written === path ? undefined : this.#wanted(written, entry));
    const info = found ?? this.#inspected(path, entry);
    if (info === undefined) return this.#watchUnwanted(path, entry);
    const marks: BuildMark[] = [];
    const watcher = this.#watchMarks(path, entry, marks);
    const { maxFileBytes } = this.#options.limits;
    const sizeBytes = Math.max(entry.sizeBytes, entry.storedBytes);
    if (sizeBytes > maxFileBytes) {
      const message = `a file of ${sizeBytes} bytes was not read, maxFileBytes is ${maxFileBytes}`;
      this.#options.problems.add(info.path, "memory_limit", message);
      return watcher;
    }
    const next = { info, isKept: found !== undefined, contentPath: path, watcher, marks };
    this.#next = next;
    const gathered = this.#gathering(next, entry);
    return gathered === undefined ? true : this.#gather(next, entry, gathered);
  }

  /** Where a content is gathered other than in memory of its own: what is looked at once, and what is kept and large. */
  #gathering({ isKept }: NextFile, { storedBytes, isSparse }: TarEntry): Gathering | undefined {
    if (storedBytes === 0 || isSparse === true) return undefined;
    if (!isKept) return this.#passing.begin(storedBytes);
    const { scratch } = this.#options;
    return scratch === undefined || storedBytes < scratchFromBytes
      ? undefined
      : new ScratchBytes(scratch.begin(), storedBytes);
  }

  /** Takes a content part by part, which is shown to the file's own watcher too. */
  #gather(next: NextFile, entry: TarEntry, gathered: Gathering): Watcher {
    let { watcher } = next;
    return (part) => {
      if (watcher !== false && !watcher(part)) watcher = false;
      gathered.take(part);
      const { whole } = gathered;
      if (whole !== undefined) this.#take(next, entry, whole);
      return true;
    };
  }

  /** A file that no detector wants by its path: it may be evidence, or a program that says what it is made of. */
  #watchUnwanted(path: string, entry: TarEntry): Watcher | false {
    const { inspection, limits } = this.#options;
    const { storedBytes, sizeBytes, mode } = entry;
    const marks: BuildMark[] = [];
    let watcher = this.#watchMarks(path, entry, marks);
    const mayBeProgram = inspection?.wantsPrograms === true && storedBytes >= minExecutableBytes;
    if (!mayBeProgram || watcher === false) return watcher;
    if (entry.isSparse === true || storedBytes > limits.maxFileBytes) return this.#refuseProgram(path, watcher, marks);
    const gathering = this.#passing.begin(storedBytes);
    return (part) => {
      if (watcher !== false && !watcher(part)) watcher = false;
      if (watcher === false && marks.length === 0) return false;
      gathering.take(part);
      const { whole } = gathering;
      if (whole === undefined || marks.length === 0) return true;
      const info: FileInfo = { path, kind: "file", sizeBytes, mode };
      inspection.inspect(info, keptFile({ path, contentPath: path, mode, info }, whole), marks);
      return false;
    };
  }

  /** Notes evidence, and the marks that detectors want. */
  #watchMarks(path: string, { storedBytes }: TarEntry, marks: BuildMark[]): Watcher | false {
    const { evidence, inspection } = this.#options;
    const noteMark = (mark: BuildMark) => {
      if (inspection?.wantsMark(mark) === true) marks.push(mark);
    };
    return evidence?.seeFile(path, storedBytes, noteMark) ?? false;
  }

  /** A program that is too large to be read is a problem once it shows a wanted mark. */
  #refuseProgram(path: string, watcher: Watcher, marks: readonly BuildMark[]): Watcher {
    const { problems, limits } = this.#options;
    return (part) => {
      const goesOn = watcher(part);
      if (marks.length > 0) {
        const message = `a program was not read: it is sparse, or larger than maxFileBytes, ${limits.maxFileBytes} bytes`;
        problems.add(path, "memory_limit", message);
      }
      return goesOn;
    };
  }

  #take({ info, isKept, contentPath, marks }: NextFile, { mode }: TarEntry, content: ByteParts): void {
    const { path } = info;
    const file = keptFile({ path, contentPath, mode, info }, content);
    if (isKept) {
      this.#options.budget.take(content.length + path.length + contentPath.length + entryBytes);
      this.#files.set(contentPath, file);
    }
    const { inspection } = this.#options;
    if (inspection === undefined) return;
    if (marks.length > 0 || inspection.wants({ ...info, path: contentPath })) inspection.inspect(info, file, marks);
  }

  /** What file detectors are told of an entry, if any of them wants it. */
  #inspected(path: string, { kind, sizeBytes, mode }: TarEntry): FileInfo | undefined {
    if (kind !== "file" && kind !== "hard-link") return undefined;
    const info: FileInfo = { path, kind, sizeBytes: kind === "file" ? sizeBytes : 0, mode };
    return this.#options.inspection?.wants(info) === true ? info : undefined;
  }

  #placeLink(path: string, hash: number, entry: TarEntry): void {
    this.#options.budget.take(path.length + entry.linkName.length + entryBytes);
    if (entry.kind === "hard-link") {
      this.hardLinks.set(hash, normalizePath(entry.linkName));
    } else {
      this.symbolicLinks.set(hash, entry.linkName);
      this.#lastFolder = { written: "", real: "" }; // what was the folder's place may now be another
    }
    const info = this.#wanted(path, entry) ?? this.#inspected(path, entry);
    if (info !== undefined) this.wantedLinks.set(path, info);
  }

  /** What detectors are told of an entry, if any of them wants it under that path. */
  #wanted(path: string, { kind, sizeBytes, mode }: TarEntry): FileInfo | undefined {
    if (kind === "folder" || kind === "device") return undefined;
    const info: FileInfo = { path, kind, sizeBytes: kind === "file" ? sizeBytes : 0, mode };
    return this.#options.wants(info) ? info : undefined;
  }

  /** Where a folder as written really is, with all folders on the way noted; undefined for a loop of links. */
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
      if (this.#paths.get(hash) === "folder") break; // so are those above
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
