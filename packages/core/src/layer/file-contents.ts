import { type ByteParts, partOf } from "../bytes/byte-parts.ts";
import type { Limits } from "../bytes/limits.ts";
import type { MemoryBudget } from "../bytes/memory-budget.ts";
import type { LayerEvidence } from "../evidence/layer-evidence.ts";
import type { BuildMark, FileEntry } from "../plugins/detector.ts";
import type { Scratch } from "../ports.ts";
import { mayHaveMark } from "../programs/watch-program.ts";
import type { TarEntry, Watcher } from "../tar/entry.ts";
import type { FileInspection } from "./file-inspection.ts";
import { keptFile } from "./kept-file.ts";
import type { KeptFile } from "./layer-contents.ts";
import type { LinkTargets } from "./link-targets.ts";
import { type ContentCollector, PassingBytes, storedContent } from "./passing-bytes.ts";
import type { Problems } from "./problems.ts";
import { ScratchBytes, scratchFromBytes } from "./scratch-bytes.ts";

/** Bytes of memory for a kept entry, besides its texts and its content. */
export const entryBytes = 150;

/** Options of {@link FileContents}. */
export interface FileContentsOptions {
  readonly wants: (file: FileEntry) => boolean;
  readonly limits: Limits;
  readonly budget: MemoryBudget;
  readonly problems: Problems;
  /** Collects evidence of packages; absent when the layer is read for the second time. */
  readonly evidence?: LayerEvidence;
  /** Runs the file detectors; absent when the layer is read for the second time. */
  readonly inspection?: FileInspection;
  /** Keeps contents to which later links may lead; absent when the layer is read for the second time. */
  readonly linkTargets?: LinkTargets;
  /** Keeps large contents. */
  readonly scratch?: Scratch;
  /** The archive, if it can be read at any place. */
  readonly stored?: ByteParts;
}

/** A file whose content comes next. */
interface NextFile {
  readonly info: FileEntry;
  readonly isKept: boolean;
  readonly contentPath: string;
  readonly watcher: Watcher | false;
  /** Build marks found in the content so far. */
  readonly marks: readonly BuildMark[];
}

/**
 * Collects the contents of the files of one layer while its entries pass. Files that detectors want are kept. Others are passed once to the
 * file detectors and to the collector of evidence.
 */
export class FileContents {
  readonly #options: FileContentsOptions;
  /** Wanted files by the path of their content. */
  readonly #kept = new Map<string, KeptFile>();
  /** Contents that are inspected once and not kept. */
  readonly #passing: PassingBytes;
  /** The file whose content comes next. */
  #next: NextFile | undefined;

  constructor(options: FileContentsOptions) {
    this.#options = options;
    this.#passing = new PassingBytes(options.scratch);
  }

  /** The kept files, including those that a later entry of the layer has made unreachable. */
  get kept(): ReadonlyMap<string, KeptFile> {
    return this.#kept;
  }

  /** Discards everything from an earlier entry of the same path. */
  forget(path: string): void {
    this.#kept.delete(path);
    this.#options.evidence?.forget(path);
    this.#options.inspection?.forget(path);
    this.#options.linkTargets?.forget(path);
  }

  /** Shows a symbolic link to file detectors. */
  seeLink(path: string, target: string): void {
    this.#options.inspection?.inspectLink({ path, target });
  }

  /** The names of the files that file detectors want below a symbolic link to a folder. */
  namesBelow(path: string): readonly string[] {
    return this.#options.inspection?.namesBelow(path) ?? [];
  }

  /** The description of an entry for detectors; undefined when no detector wants it under that path. */
  findWanted(path: string, entry: TarEntry): FileEntry | undefined {
    const info = descriptionOf(path, entry);
    return info !== undefined && this.#options.wants(info) ? info : undefined;
  }

  /** The description of an entry for detectors; undefined when none of them wants it, and no file detector. */
  findRead(path: string, entry: TarEntry): FileEntry | undefined {
    const info = descriptionOf(path, entry);
    if (info === undefined) return undefined;
    return this.#options.wants(info) || this.#options.inspection?.wants(info) === true ? info : undefined;
  }

  /**
   * Starts a file. Detectors are asked for its real path first, then for the name in the archive.
   * @param path the real path, with links of the layer resolved
   * @param written the name in the archive
   * @returns true to get the content as a whole, a watcher to get it in parts, false to skip it
   */
  begin(path: string, written: string, entry: TarEntry): boolean | Watcher {
    const reader = this.#findReader(path, written, entry);
    if (reader === undefined) return this.#watchUnwanted(path, entry);
    const { info, isKept } = reader;
    const marks: BuildMark[] = [];
    const watcher = this.#watchMarks(path, entry, marks);
    const { maxFileBytes } = this.#options.limits;
    const sizeBytes = Math.max(entry.sizeBytes, entry.storedBytes);
    if (sizeBytes > maxFileBytes) {
      const message = `a file of ${sizeBytes} bytes was not read, maxFileBytes is ${maxFileBytes}`;
      this.#options.problems.add(info.path, "memory_limit", message);
      return watcher;
    }
    const next = { info, isKept, contentPath: path, watcher, marks };
    this.#next = next;
    const collector = this.#collectorFor(next, entry);
    return collector === undefined ? true : this.#collect(next, entry, collector);
  }

  /** By which description a file is wanted, and whether it is kept; undefined when its content is not read. */
  #findReader(path: string, written: string, entry: TarEntry): Pick<NextFile, "info" | "isKept"> | undefined {
    const info = descriptionOf(path, entry);
    if (info === undefined) return undefined;
    if (this.#options.wants(info)) return { info, isKept: true };
    const alias = written === path ? undefined : this.findWanted(written, entry);
    if (alias !== undefined) return { info: alias, isKept: true };
    return this.#options.inspection?.wants(info) === true ? { info, isKept: false } : undefined;
  }

  /** Receives a content as a whole. */
  content(entry: TarEntry, bytes: Uint8Array): void {
    if (this.#next === undefined) return;
    if (this.#next.watcher !== false) this.#next.watcher(bytes);
    this.#take(this.#next, entry, bytes);
  }

  /** The collector of a content that is inspected once, or is kept and large; undefined for one that gets its own memory. */
  #collectorFor({ isKept }: NextFile, entry: TarEntry): ContentCollector | undefined {
    const { storedBytes, isSparse } = entry;
    if (storedBytes === 0 || isSparse === true) return undefined;
    if (!isKept) {
      const stored = storedBytes < scratchFromBytes ? undefined : this.#storedContent(entry);
      return stored ?? this.#passing.begin(storedBytes);
    }
    const { scratch } = this.#options;
    return scratch === undefined || storedBytes < scratchFromBytes
      ? undefined
      : new ScratchBytes(scratch.begin(), storedBytes);
  }

  /** The content in the archive itself, if that can be read there. */
  #storedContent({ contentAt, storedBytes }: TarEntry): ContentCollector | undefined {
    const { stored } = this.#options;
    return stored && storedContent(partOf(stored, contentAt, storedBytes));
  }

  /** Collects a content in parts, and passes each part to the file's own watcher too. */
  #collect(next: NextFile, entry: TarEntry, collector: ContentCollector): Watcher {
    let { watcher } = next;
    return (part) => {
      if (watcher !== false && !watcher(part)) watcher = false;
      collector.take(part);
      const { whole } = collector;
      if (whole !== undefined) this.#take(next, entry, whole);
      return true;
    };
  }

  /** Watches a file that no detector wants by its path: it may be evidence, or a program with a build mark. */
  #watchUnwanted(path: string, entry: TarEntry): Watcher | false {
    const { inspection, limits } = this.#options;
    const { storedBytes, sizeBytes, mode } = entry;
    const marks: BuildMark[] = [];
    let watcher = this.#watchMarks(path, entry, marks);
    const mayBeProgram = inspection?.wantsPrograms === true && mayHaveMark({ sizeBytes: storedBytes, mode });
    if (watcher === false) return this.#options.linkTargets?.watch(path, entry) ?? false;
    if (!mayBeProgram) return watcher;
    if (entry.isSparse === true || storedBytes > limits.maxFileBytes) return this.#refuseProgram(path, watcher, marks);
    let collector: ContentCollector | undefined; // of a program: most files are none, as their beginning shows
    return (part) => {
      if (watcher !== false && !watcher(part)) watcher = false;
      if (watcher === false && marks.length === 0) return false;
      collector ??= this.#storedContent(entry) ?? this.#passing.begin(storedBytes);
      collector.take(part);
      const { whole } = collector;
      if (whole === undefined || marks.length === 0) return true;
      const info: FileEntry = { path, kind: "file", sizeBytes, mode };
      inspection.inspect(info, keptFile({ path, contentPath: path, mode, info }, whole), marks);
      return false;
    };
  }

  /** Watches for evidence, and collects the build marks that detectors want. */
  #watchMarks(path: string, { storedBytes, mode }: TarEntry, marks: BuildMark[]): Watcher | false {
    const { evidence, inspection } = this.#options;
    const noteMark = (mark: BuildMark) => {
      if (inspection?.wantsMark(mark) === true) marks.push(mark);
    };
    return evidence?.seeFile(path, { sizeBytes: storedBytes, mode }, noteMark) ?? false;
  }

  /** Watches a program that is too large or sparse: a wanted mark in it becomes a problem. */
  #refuseProgram(path: string, watcher: Watcher, marks: readonly BuildMark[]): Watcher {
    const { problems, limits } = this.#options;
    return (part) => {
      const wantsMore = watcher(part);
      if (marks.length > 0) {
        const message = `a program was not read: it is sparse, or larger than maxFileBytes, ${limits.maxFileBytes} bytes`;
        problems.add(path, "memory_limit", message);
      }
      return wantsMore;
    };
  }

  #take({ info, isKept, contentPath, marks }: NextFile, { mode }: TarEntry, content: ByteParts): void {
    const { path } = info;
    const file = keptFile({ path, contentPath, mode, info }, content);
    if (isKept) {
      this.#options.budget.take(content.length + path.length + contentPath.length + entryBytes);
      this.#kept.set(contentPath, file);
    } else this.#options.linkTargets?.keep({ path, contentPath, mode, info }, content);
    const { inspection } = this.#options;
    if (inspection === undefined) return;
    const isInspected = marks.length > 0 || !isKept || inspection.wants({ ...info, path: contentPath });
    if (isInspected) inspection.inspect(info, file, marks);
  }
}

/** An entry as plug-ins see it; undefined for one that none can want. */
function descriptionOf(path: string, { kind, sizeBytes, mode }: TarEntry): FileEntry | undefined {
  if (kind === "folder" || kind === "device") return undefined;
  return { path, kind, sizeBytes: kind === "file" ? sizeBytes : 0, mode };
}
