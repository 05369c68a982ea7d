import type { ByteParts } from "../bytes/byte-parts.ts";
import type { Limits } from "../bytes/limits.ts";
import type { MemoryBudget } from "../bytes/memory-budget.ts";
import { type LayerEvidence, minExecutableBytes } from "../evidence/layer-evidence.ts";
import type { BuildMark, FileEntry } from "../plugins/detector.ts";
import type { Scratch } from "../ports.ts";
import type { TarEntry, Watcher } from "../tar/entry.ts";
import type { FileInspection } from "./file-inspection.ts";
import { keptFile } from "./kept-file.ts";
import type { KeptFile } from "./layer-contents.ts";
import { type Gathering, PassingBytes } from "./passing-bytes.ts";
import type { Problems } from "./problems.ts";
import { ScratchBytes, scratchFromBytes } from "./scratch-bytes.ts";

/** What keeping an entry takes besides its texts and its content. */
export const entryBytes = 150;

/** How the contents of a layer are read. */
export interface FileContentsOptions {
  readonly wants: (file: FileEntry) => boolean;
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
  readonly info: FileEntry;
  readonly isKept: boolean;
  readonly contentPath: string;
  readonly watcher: Watcher | false;
  /** Marks of the program that it turns out to be. */
  readonly marks: readonly BuildMark[];
}

/**
 * The contents of the files of one layer, as its entries pass: those that detectors want are kept, others are shown once to what looks at
 * single files, and to what notes evidence.
 */
export class FileContents {
  readonly #options: FileContentsOptions;
  /** Wanted files by the path where their content stands. */
  readonly #kept = new Map<string, KeptFile>();
  /** Contents that are looked at once. */
  readonly #passing: PassingBytes;
  /** The file whose content comes next. */
  #next: NextFile | undefined;

  constructor(options: FileContentsOptions) {
    this.#options = options;
    this.#passing = new PassingBytes(options.scratch);
  }

  /** The kept files, those included that a later entry of the layer has made unreachable. */
  get kept(): ReadonlyMap<string, KeptFile> {
    return this.#kept;
  }

  /** Forgets what an earlier entry of the same path brought. */
  forget(path: string): void {
    this.#kept.delete(path);
    this.#options.evidence?.forget(path);
    this.#options.inspection?.forget(path);
  }

  /** What detectors are told of an entry, if any of them wants it under that path. */
  wanted(path: string, { kind, sizeBytes, mode }: TarEntry): FileEntry | undefined {
    if (kind === "folder" || kind === "device") return undefined;
    const info: FileEntry = { path, kind, sizeBytes: kind === "file" ? sizeBytes : 0, mode };
    return this.#options.wants(info) ? info : undefined;
  }

  /** What file detectors are told of an entry, if any of them wants it. */
  inspected(path: string, { kind, sizeBytes, mode }: TarEntry): FileEntry | undefined {
    if (kind !== "file" && kind !== "hard-link") return undefined;
    const info: FileEntry = { path, kind, sizeBytes: kind === "file" ? sizeBytes : 0, mode };
    return this.#options.inspection?.wants(info) === true ? info : undefined;
  }

  /** Whether the content of a file that stands at `path` and was written as `written` is to come, whole or to a watcher. */
  begin(path: string, written: string, entry: TarEntry): boolean | Watcher {
    const found = this.wanted(path, entry) ?? (written === path ? undefined : this.wanted(written, entry));
    const info = found ?? this.inspected(path, entry);
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

  /** Takes a content that comes whole. */
  content(entry: TarEntry, bytes: Uint8Array): void {
    if (this.#next === undefined) return;
    if (this.#next.watcher !== false) this.#next.watcher(bytes);
    this.#take(this.#next, entry, bytes);
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
      const info: FileEntry = { path, kind: "file", sizeBytes, mode };
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
      this.#kept.set(contentPath, file);
    }
    const { inspection } = this.#options;
    if (inspection === undefined) return;
    if (marks.length > 0 || inspection.wants({ ...info, path: contentPath })) inspection.inspect(info, file, marks);
  }
}
