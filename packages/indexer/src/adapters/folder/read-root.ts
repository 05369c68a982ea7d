import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Limits } from "@plimsoll/core";
import { ScanError } from "@plimsoll/core/errors";
import {
  allEvidenceRules,
  type BuildMark,
  type ByteParts,
  type CreateHasher,
  contentOf,
  type EvidenceFinding,
  type EvidenceRules,
  type FileEntry,
  FileInspection,
  findOpenLinks,
  hashPath,
  isOsRelease,
  type KeptFile,
  keptFile,
  type LayerContents,
  LayerEvidence,
  type LayerFile,
  MemoryBudget,
  nothingChanged,
  type ProblemFinding,
  pathSetOf,
  type Scratch,
  SymbolicLinks,
} from "@plimsoll/core/internal";
import type { FileDetector } from "@plimsoll/core/plugins";
import { readRange, streamRange } from "../archive/file-access.ts";
import { FileWindows } from "../platform/file-windows.ts";
import { openNoLink, type RootEntry, reasonOf, showFile, walkRoot } from "./root-walk.ts";

/** Options of {@link readRoot}. */
export interface ReadRootOptions {
  readonly wants: (file: FileEntry) => boolean;
  /** What shows that packages are there. Default: that of all ecosystems. */
  readonly evidence?: EvidenceRules;
  readonly fileDetectors?: readonly FileDetector[];
  /** Used as well if the folder has no `os-release`: it is then source code, whose lock files name its dependencies. */
  readonly lockFileDetectors?: readonly FileDetector[];
  /** Run in a folder of a system. */
  readonly lockedPackages?: readonly FileDetector[];
  /** Whether the detectors read what records say about packages besides. Default: true. */
  readonly details?: boolean;
  /** Computes the digests of files that are packages. Absent: they are not computed. */
  readonly createHasher?: CreateHasher;
  readonly limits: Limits;
  /** Keeps large contents of archives. */
  readonly scratch?: Scratch;
  readonly signal?: AbortSignal;
}

/**
 * Reads the wanted files below the root of a file system, as the only layer of an image. Links are resolved as for a process in that
 * root; nothing outside is read. A file that cannot be read becomes a problem.
 * @throws ScanError `entry_limit`, `memory_limit`, `aborted`
 */
export async function readRoot(root: string, options: ReadRootOptions): Promise<LayerContents> {
  const survey = await surveyRoot(root, options);
  const reader = new FileReader({
    root,
    files: survey.files,
    limits: options.limits,
    problems: survey.problems,
    scratch: options.scratch,
  });
  const files: KeptFile[] = [];
  for (const info of survey.wanted) {
    const { path } = info;
    const contentPath = survey.links.resolve(path);
    const file = contentPath === undefined ? undefined : await reader.read(contentPath);
    if (file !== undefined) {
      const { contentPath: found, mode } = file;
      files.push(keptFile({ path, contentPath: found, mode, info }, contentOf(file)));
    } else if (contentPath === undefined) {
      survey.problems.push({ kind: "problem", path, code: "malformed_archive", message: "the link leads into a loop" });
    }
  }
  const ofCode = isCode(survey) ? (options.lockFileDetectors ?? []) : [];
  const ofSystem = isCode(survey) ? [] : (options.lockedPackages ?? []);
  const detectors = [...(options.fileDetectors ?? []), ...ofCode, ...ofSystem];
  const inspection = new FileInspection(detectors, options.limits, options);
  for (const [path, target] of survey.targets) inspection.inspectLink({ path, target });
  for (const [path, entry] of survey.files) {
    const info = { ...entry, path };
    if (inspection.wants(info)) await inspectFile(reader, { inspection, info });
  }
  const through = await inspectLinks(reader, survey, inspection);
  const evidence = await findEvidence(root, survey, { ...options, inspection, reader, ofCode });
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    files: new Map(files.map((file) => [file.path, file])),
    shape: {
      ...nothingChanged,
      leaves: pathSetOf(Float64Array.from(survey.leaves)),
      folders: pathSetOf(Float64Array.from(survey.folders)),
    },
    entries: survey.leaves.length + survey.folders.length,
    sizeBytes: reader.keptBytes,
    uncompressedBytes: reader.keptBytes,
    problems: survey.problems,
    evidence,
    inspected: inspection.findings(() => true),
    links: openLinks(survey, through),
  };
}

/** Inspects the files that detectors want by the paths of links only. Returns the paths of their contents by their paths through links. */
async function inspectLinks(
  reader: FileReader,
  { files, links, targets }: Survey,
  inspection: FileInspection,
): Promise<ReadonlyMap<string, string>> {
  const through = new Map<string, string>();
  for (const link of targets.keys()) {
    for (const path of [link, ...inspection.namesBelow(link).map((name) => `${link}/${name}`)]) {
      const contentPath = links.resolve(path);
      const entry = contentPath === undefined ? undefined : files.get(contentPath);
      if (contentPath === undefined || entry === undefined) continue;
      const info: FileEntry = { path, kind: "symbolic-link", sizeBytes: 0, mode: entry.mode };
      if (!inspection.readsThrough(info, contentPath)) continue;
      await reader.showOnce(contentPath, (file) => inspection.inspectThrough(info, atPath(file, path)));
      through.set(path, contentPath);
    }
  }
  return through;
}

/** The same content at another path. A large one is not loaded. */
function atPath(file: LayerFile, path: string): LayerFile {
  const { contentPath, mode, parts } = file;
  return {
    path,
    contentPath,
    mode,
    parts,
    get bytes() {
      return file.bytes;
    },
  };
}

function openLinks({ files, links, targets, problems }: Survey, through: ReadonlyMap<string, string>) {
  const tree = {
    links: targets,
    symbolicLinks: links,
    hasLeaf: (path: string) => files.has(path) || targets.has(path),
  };
  return findOpenLinks(tree, through, {
    add: (path, code, message) => problems.push({ kind: "problem", path, code, message }),
  });
}

function isCode({ files, wanted }: Survey): boolean {
  return ![...files.keys(), ...wanted.map(({ path }) => path)].some(isOsRelease);
}

interface InspectedFile {
  readonly inspection: FileInspection;
  readonly info: FileEntry;
  readonly marks?: readonly BuildMark[];
}

/** Inspects a file without keeping its content. */
async function inspectFile(reader: FileReader, { inspection, info, marks = [] }: InspectedFile): Promise<void> {
  await reader.showOnce(info.path, (file) => inspection.inspect(info, file, marks));
}

interface EvidenceOptions extends ReadRootOptions {
  readonly inspection: FileInspection;
  readonly reader: FileReader;
  /** The lock file detectors in use. Files that they read are not evidence of unassessed packages. */
  readonly ofCode: readonly FileDetector[];
}

/** Finds evidence as in a layer: files that are evidence by their path, and executables with build information. */
async function findEvidence(root: string, survey: Survey, options: EvidenceOptions): Promise<EvidenceFinding[]> {
  const { inspection, reader, ofCode, evidence: rules = allEvidenceRules } = options;
  const evidence = new LayerEvidence(new MemoryBudget(options.limits.maxKeptBytes, "maxKeptBytes"), rules);
  for (const [path, { sizeBytes, mode }] of survey.files) {
    const info: FileEntry = { path, kind: "file", sizeBytes, mode };
    if (ofCode.some((detector) => detector.wants(info))) continue;
    const marks: BuildMark[] = [];
    const watcher = evidence.seeFile(path, info, (mark) => inspection.wantsMark(mark) && marks.push(mark));
    if (watcher === false) continue;
    if (options.signal?.aborted === true) throw new ScanError("aborted", `reading ${root} was cancelled`);
    const reason = await showFile(join(root, path), watcher);
    if (marks.length > 0 && !inspection.wants(info)) await inspectFile(reader, { inspection, info, marks });
    if (reason === undefined || (mode & anyExecuteBit) === 0) continue;
    survey.problems.push({ kind: "problem", path, code: "not_permitted", message: `cannot be read: ${reason}` });
  }
  return evidence.list((path) => survey.files.has(path));
}

const anyExecuteBit = 0o111;

type FoundFile = Extract<RootEntry, { kind: "file" }>;

interface Survey {
  readonly files: Map<string, FoundFile>;
  readonly links: SymbolicLinks;
  /** What symbolic links state, by their paths. */
  readonly targets: Map<string, string>;
  /** Files and links. */
  readonly wanted: FileEntry[];
  /** Hashes of paths. */
  readonly leaves: number[];
  readonly folders: number[];
  readonly problems: ProblemFinding[];
}

async function surveyRoot(root: string, options: ReadRootOptions): Promise<Survey> {
  const links = new SymbolicLinks();
  const [files, targets] = [new Map(), new Map()];
  const survey: Survey = { files, links, targets, wanted: [], leaves: [], folders: [], problems: [] };
  for await (const entry of walkRoot(root, options)) addEntry(survey, entry, options.wants);
  return survey;
}

function addEntry(survey: Survey, entry: RootEntry, wants: ReadRootOptions["wants"]): void {
  const { kind, path } = entry;
  switch (kind) {
    case "folder":
      survey.folders.push(hashPath(path));
      return;
    case "unreadable":
      survey.problems.push({
        kind: "problem",
        path,
        code: "not_permitted",
        message: `cannot be read: ${entry.reason}`,
      });
      return;
    case "file":
      survey.files.set(path, entry);
      addWanted(survey, { path, kind, sizeBytes: entry.sizeBytes, mode: entry.mode }, wants);
      break;
    case "symbolic-link":
      survey.links.set(hashPath(path), entry.target);
      survey.targets.set(path, entry.target);
      addWanted(survey, { path, kind, sizeBytes: 0, mode: entry.mode }, wants);
      break;
    case "device":
  }
  survey.leaves.push(hashPath(path));
}

function addWanted(survey: Survey, info: FileEntry, wants: ReadRootOptions["wants"]): void {
  if (wants(info)) survey.wanted.push(info);
}

interface FileReaderOptions {
  readonly root: string;
  readonly files: Survey["files"];
  readonly limits: Limits;
  readonly problems: ProblemFinding[];
  readonly scratch?: Scratch;
}

/** A content of at least this many bytes is not loaded into memory as a whole. */
const largeBytes = 32 * 1024 ** 2;

/** Reads each wanted file once and counts the bytes that it keeps. */
class FileReader {
  keptBytes = 0;
  readonly #root: string;
  readonly #files: Survey["files"];
  readonly #limits: Limits;
  readonly #problems: ProblemFinding[];
  readonly #scratch: Scratch | undefined;
  readonly #read = new Map<string, LayerFile | undefined>();

  constructor({ root, files, limits, problems, scratch }: FileReaderOptions) {
    this.#scratch = scratch;
    this.#root = root;
    this.#files = files;
    this.#limits = limits;
    this.#problems = problems;
  }

  /** The file at a path without links; undefined if there is none or it cannot be read, which is a problem. */
  async read(path: string): Promise<LayerFile | undefined> {
    if (!this.#read.has(path)) this.#read.set(path, await this.#readNew(path));
    return this.#read.get(path);
  }

  /** Passes a file as {@link read} returns it, without keeping the content. Of a large file, only the parts that are asked for are read. */
  async showOnce(path: string, show: (file: LayerFile) => void): Promise<void> {
    const known = this.#read.get(path);
    const entry = known === undefined ? this.#checked(path) : undefined;
    if (entry !== undefined && entry.sizeBytes >= largeBytes) return this.#showParts(path, entry, show);
    const file = known ?? (entry && (await this.#load(path, entry)));
    if (file !== undefined) show(file);
  }

  async #showParts(path: string, info: FoundFile, show: (file: LayerFile) => void): Promise<void> {
    let handle: FileHandle | undefined;
    try {
      handle = await openNoLink(join(this.#root, path));
    } catch (error) {
      this.#fail(path, "not_permitted", `cannot be read: ${reasonOf(error)}`);
      return;
    }
    await using file = handle;
    const { sizeBytes, mode } = info;
    const windows = new FileWindows(() => file.fd);
    const parts = {
      length: sizeBytes,
      subarray: (start: number, end: number) => windows.read(start, Math.min(end, sizeBytes), sizeBytes),
    };
    show(keptFile({ path, contentPath: path, mode, info }, parts));
  }

  async #readNew(path: string): Promise<LayerFile | undefined> {
    const entry = this.#checked(path);
    if (entry === undefined) return undefined;
    const { maxKeptBytes } = this.#limits;
    this.keptBytes += entry.sizeBytes;
    if (this.keptBytes > maxKeptBytes) {
      throw new ScanError(
        "memory_limit",
        `${this.#root}: the wanted files have more than maxKeptBytes, ${maxKeptBytes} bytes`,
      );
    }
    return this.#load(path, entry);
  }

  /** The entry of a file; undefined and a problem if it is larger than the limit. */
  #checked(path: string): FoundFile | undefined {
    const entry = this.#files.get(path);
    if (entry === undefined) return undefined;
    const { maxFileBytes } = this.#limits;
    if (entry.sizeBytes > maxFileBytes) {
      return this.#fail(
        path,
        "memory_limit",
        `a file of ${entry.sizeBytes} bytes was not read, maxFileBytes is ${maxFileBytes}`,
      );
    }
    return entry;
  }

  async #load(path: string, info: FoundFile): Promise<LayerFile | undefined> {
    const { sizeBytes, mode } = info;
    try {
      await using file = await openNoLink(join(this.#root, path));
      const outside = sizeBytes < largeBytes ? undefined : await this.#copyOutside(file, sizeBytes);
      return keptFile({ path, contentPath: path, mode, info }, outside ?? (await readRange(file, 0, sizeBytes)));
    } catch (error) {
      return this.#fail(path, "not_permitted", `cannot be read: ${reasonOf(error)}`);
    }
  }

  /** A copy of a file outside memory, which is there until the detectors have run; undefined where there is no room. */
  async #copyOutside(file: FileHandle, sizeBytes: number): Promise<ByteParts | undefined> {
    const content = this.#scratch?.begin();
    if (content === undefined) return undefined;
    for await (const piece of streamRange(file, 0, sizeBytes)) if (!content.append(piece)) return undefined;
    return content;
  }

  #fail(path: string, code: "memory_limit" | "not_permitted", message: string): undefined {
    this.#problems.push({ kind: "problem", path, code, message });
    return undefined;
  }
}
