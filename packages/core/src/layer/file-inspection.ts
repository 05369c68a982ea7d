import type { ByteParts } from "../bytes/byte-parts.ts";
import { contentOf, piecesOf } from "../bytes/byte-parts.ts";
import type { Limits } from "../bytes/limits.ts";
import { ScanError } from "../errors.ts";
import { atOnce } from "../model/at-once.ts";
import type {
  ArchiveOpening,
  BuildMark,
  DetectOptions,
  FileDetector,
  FileDigests,
  FileEntry,
  LayerFile,
  LayerLink,
  OuterArchive,
} from "../plugins/detector.ts";
import type { Finding } from "../plugins/finding.ts";
import { pluginsByName } from "../plugins/plugins-by-name.ts";
import type { CreateHasher, Scratch, ScratchContent } from "../ports.ts";
import { isOverLimit } from "../zip/archive-budget.ts";
import { createZipReader } from "../zip/zip-reader.ts";
import { asarReader } from "./asar-reader.ts";
import { checkedFindings } from "./checked-findings.ts";
import { FindingsBudget } from "./findings-budget.ts";
import { foundInArchive } from "./found-in-archive.ts";
import type { InspectedFindings } from "./layer-contents.ts";
import { type MemberInspector, openArchive } from "./open-archive.ts";
import { createPharReader } from "./phar-reader.ts";
import { namesBelow, readersThrough } from "./readers-through.ts";
import { ScratchBytes } from "./scratch-bytes.ts";
import { isTestData } from "./test-data.ts";

/**
 * Runs file detectors on the files of one layer while they stream by, and keeps the findings.
 * @example
 * declare const detectors: readonly FileDetector[];
 * declare const file: LayerFile;
 * const inspection = new FileInspection(detectors, defaultLimits);
 * inspection.inspect({ path: file.path, kind: "file", sizeBytes: file.bytes.length, mode: 0o644 }, file);
 * const findings = inspection.findings(() => true);
 */
export class FileInspection {
  /** Whether any detector wants programs by a build mark. */
  readonly wantsPrograms: boolean;
  readonly #detectors: readonly FileDetector[];
  readonly #detectorsFor: (path: string) => readonly FileDetector[];
  readonly #linkDetectors: readonly FileDetector[];
  readonly #belowDetectors: readonly FileDetector[];
  readonly #marks: ReadonlySet<BuildMark | undefined>;
  readonly #budget: FindingsBudget;
  /** Findings by the path of the file and the name of the detector. */
  readonly #found = new Map<string, Map<string, Finding[]>>();
  /** The first problem of each detector that cannot say which files it wants. */
  readonly #failures = new Map<string, Finding>();
  readonly #members: MemberInspector;
  readonly #scratch: Scratch | undefined;
  readonly #options: DetectOptions;
  readonly #createHasher: CreateHasher | undefined;
  #hashed: { readonly file: LayerFile; readonly digests: FileDigests } | undefined;
  /** The room for one large member at each depth of archives. */
  readonly #outside: (ScratchContent | undefined)[] = [];
  /** The number of packages, and of places where there are unread ones. */
  #results = 0;

  constructor(
    detectors: readonly FileDetector[],
    limits: Limits,
    { scratch, details, createHasher }: InspectionOptions = {},
  ) {
    this.#options = { details };
    this.#createHasher = details === false ? undefined : createHasher;
    this.#detectors = detectors;
    this.#detectorsFor = pluginsByName(detectors);
    this.#marks = new Set(detectors.map(({ programs }) => programs));
    this.wantsPrograms = detectors.some(({ programs }) => programs !== undefined);
    this.#linkDetectors = detectors.filter(({ links }) => links !== undefined);
    this.#belowDetectors = detectors.filter(({ readsBelow }) => readsBelow !== undefined);
    this.#scratch = scratch;
    this.#budget = new FindingsBudget("a layer", limits);
    this.#members = {
      readers: { asar: asarReader, phar: createPharReader(), zip: createZipReader() },
      maxFileBytes: limits.maxFileBytes,
      collect: (depth, sizeBytes) => new ScratchBytes(this.#cleared(depth), sizeBytes),
      wants: (info, archive) =>
        this.#detectorsFor(info.path).some((each) => !ignores(each, archive) && this.#isWanted(each, info)),
      wantsMark: (mark) => this.wantsMark(mark),
      inspect: (info, member, marks) => this.inspect(info, member, marks),
      inspectLink: (link) => this.inspectLink(link),
      onUnreadable: (member, error) => this.#keepUnreadable(archiveReader, member, error),
    };
  }

  /** Whether any detector wants the file by its path. */
  wants(info: FileEntry): boolean {
    const detectors = this.#detectorsFor(info.path);
    return detectors.length > 0 && detectors.some((detector) => this.#isWanted(detector, info));
  }

  /** The names of files that detectors want below a symbolic link to a folder. */
  namesBelow(path: string): readonly string[] {
    return this.#belowDetectors.flatMap((detector) => {
      try {
        return namesBelow(detector, path);
      } catch (error) {
        this.#failOnce(detector, { path }, error);
        return [];
      }
    });
  }

  /** Whether any detector wants programs with this build mark. */
  wantsMark(mark: BuildMark): boolean {
    return this.#marks.has(mark);
  }

  /**
   * Runs the detectors that want a file by its path, or by a build mark that was found in it.
   * @throws ScanError `entry_limit` when there are more findings than the limits allow
   */
  inspect(info: FileEntry, file: LayerFile, marks: readonly BuildMark[] = []): void {
    let opener: FileDetector | undefined;
    for (const detector of marks.length > 0 ? this.#detectors : this.#detectorsFor(info.path)) {
      if (ignores(detector, file.archive)) continue;
      const isMarked = detector.programs !== undefined && marks.includes(detector.programs);
      if (!isMarked && !this.#isWanted(detector, info)) continue;
      if (this.#detect(detector, file)) opener = detector;
    }
    if (opener !== undefined) this.#open(opener, file);
  }

  /** Whether a detector that wants a file by the path of a symbolic link does not read it at its own path. */
  readsThrough(link: FileEntry, contentPath: string): boolean {
    return this.#readersThrough(link, contentPath).length > 0;
  }

  /** Runs the detectors that want a file by the path of a symbolic link, and do not read it at its own path. Returns whether there are any. */
  inspectThrough(link: FileEntry, file: LayerFile): boolean {
    const readers = this.#readersThrough(link, file.contentPath);
    for (const detector of readers) if (this.#detect(detector, file)) this.#open(detector, file);
    return readers.length > 0;
  }

  /**
   * Runs the detectors on a symbolic link.
   * @throws ScanError `entry_limit` when there are more findings than the limits allow
   */
  inspectLink(link: LayerLink & Pick<LayerFile, "archive">): void {
    if (this.#linkDetectors.length === 0 || isTestData(link.path)) return;
    for (const detector of this.#linkDetectors) {
      if (ignores(detector, link.archive)) continue;
      this.#keep(detector.name, link, this.#run(detector, link, () => detector.links?.(link) ?? []).found);
    }
  }

  /** Discards the findings of a file that a later entry of the layer replaces. */
  forget(path: string): void {
    this.#found.delete(path);
  }

  /** The findings in files that the finished layer contains. */
  findings(isThere: (path: string) => boolean): InspectedFindings {
    const byDetector: Record<string, Finding[]> = {};
    for (const [name, failure] of this.#failures) byDetector[name] = [failure];
    for (const path of [...this.#found.keys()].filter(isThere).sort()) {
      for (const [name, found] of this.#found.get(path) ?? []) {
        byDetector[name] ??= [];
        for (const finding of found) byDetector[name].push(finding); // may be too many for the arguments of one call
      }
    }
    return byDetector;
  }

  #readersThrough(link: FileEntry, contentPath: string): readonly FileDetector[] {
    const isWanted = (detector: FileDetector, info: FileEntry) => this.#isWanted(detector, info);
    return readersThrough({ pluginsFor: this.#detectorsFor, isWanted }, link, contentPath);
  }

  /** Runs a detector. Returns whether it opens the file as an archive. */
  #detect(detector: FileDetector, file: LayerFile): boolean {
    const { found, failed } = this.#run(detector, file, () => detector.detect(file, this.#optionsFor(file)));
    this.#keep(detector.name, file, found);
    return !failed && detector.opens !== undefined && this.#isArchive(detector, detector.opens, file);
  }

  #isArchive(detector: FileDetector, { isArchive }: ArchiveOpening, file: LayerFile): boolean {
    try {
      return isArchive === undefined || atOnce(isArchive(file), "isArchive", detector.name);
    } catch (error) {
      this.#keep(detector.name, file, [problemOf(detector, file, error)]);
      return false;
    }
  }

  #optionsFor(file: LayerFile): DetectOptions {
    const createHasher = this.#createHasher;
    if (createHasher === undefined) return this.#options;
    return { ...this.#options, digests: () => this.#digestsOf(file, createHasher) };
  }

  /** Several detectors may read the same file, one after the other. */
  #digestsOf(file: LayerFile, createHasher: CreateHasher): FileDigests {
    if (this.#hashed?.file !== file) this.#hashed = { file, digests: digestsOf(contentOf(file), createHasher) };
    return this.#hashed.digests;
  }

  #isWanted(detector: FileDetector, info: FileEntry): boolean {
    try {
      return atOnce(detector.wants(info), "wants", detector.name) && !isTestData(info.path);
    } catch (error) {
      this.#failOnce(detector, info, error);
      return false;
    }
  }

  /** Keeps the first failure of a detector before it has a file: it may fail for every file of the layer. */
  #failOnce(detector: FileDetector, at: Pick<FileEntry, "path">, error: unknown): void {
    if (!this.#failures.has(detector.name)) this.#failures.set(detector.name, problemOf(detector, at, error));
  }

  #cleared(depth: number): ScratchContent | undefined {
    this.#outside[depth] ??= this.#scratch?.begin();
    this.#outside[depth]?.clear();
    return this.#outside[depth];
  }

  /** Inspects the members of an archive. */
  #open({ name, opens }: FileDetector, file: LayerFile): void {
    if (opens === undefined) return;
    const before = this.#results;
    try {
      openArchive(file, opens, this.#members);
    } catch (error) {
      this.#keepUnreadable(name, file, error);
    }
    if (opens.mayBeEmpty === true || this.#results > before) return;
    this.#keep(name, file, [{ kind: "evidence", path: file.path, packages: opens.packages, pieces: 1 }]);
  }

  /** Keeps the problem of an archive or of a part of it. @throws the error if it ends the reading of the outermost archive, or of the layer */
  #keepUnreadable(name: string, file: PlaceInLayer, error: unknown): void {
    const endsLayer = error instanceof ScanError && error.code === "entry_limit";
    if (endsLayer || (file.archive !== undefined && isOverLimit(error))) throw error;
    const problem = problemOf({ name }, file, error);
    this.#budget.add(problem);
    this.#keep(name, file, [problem]);
  }

  #keep(name: string, { path, archive }: PlaceInLayer, found: readonly Finding[]): void {
    if (found.length === 0) return;
    const outer = archive?.file ?? path;
    const ofFile = this.#found.get(outer) ?? new Map<string, Finding[]>();
    this.#found.set(outer, ofFile);
    const ofDetector = ofFile.get(name) ?? [];
    ofFile.set(name, ofDetector);
    for (const finding of found) {
      ofDetector.push(archive === undefined ? finding : foundInArchive(finding, archive));
      if (isResult(finding)) this.#results++;
    }
  }

  #run(detector: FileDetector, file: PlaceInLayer, detect: () => Iterable<Finding>): Detected {
    const found: Finding[] = [];
    try {
      for (const finding of checkedFindings(detect(), { path: file.path, name: detector.name })) {
        this.#budget.add(finding);
        found.push(finding);
      }
    } catch (error) {
      if (error instanceof ScanError && error.code === "entry_limit") throw error;
      if (file.archive !== undefined && isOverLimit(error)) this.#keepAndThrow(detector.name, file, { found, error });
      found.push(problemOf(detector, file, error));
      return { found, failed: true };
    }
    return { found, failed: false };
  }

  /** Keeps what was found of a member before a limit of the whole archive. */
  #keepAndThrow(
    name: string,
    file: PlaceInLayer,
    { found, error }: { readonly found: readonly Finding[]; readonly error: unknown },
  ): never {
    this.#keep(name, file, found);
    throw error;
  }
}

/** How files are inspected. */
interface InspectionOptions extends DetectOptions {
  /** Keeps large members of archives. */
  readonly scratch?: Scratch;
  /** Computes the digests of files that are packages. Absent: they are not computed. */
  readonly createHasher?: CreateHasher;
}

function digestsOf(bytes: ByteParts, createHasher: CreateHasher): FileDigests {
  const [sha256, sha512] = [createHasher("sha256"), createHasher("sha512")];
  for (const piece of piecesOf(bytes)) {
    sha256.update(piece);
    sha512.update(piece);
  }
  return { sha256: sha256.hex(), sha512: sha512.hex() };
}

/** Whether the files in an archive mean nothing to a detector. */
function ignores({ ignoresArchives }: FileDetector, archive: OuterArchive | undefined): boolean {
  return archive !== undefined && (ignoresArchives === true || ignoresArchives === archive.packages);
}

/** What a detector found in a file; a failure is the last of the findings. */
interface Detected {
  readonly found: readonly Finding[];
  readonly failed: boolean;
}

type PlaceInLayer = Pick<LayerFile, "path" | "archive">;

/** Whether a finding shows packages, or that some were not read. An application whose dependencies may not be installed shows none. */
function isResult(finding: Finding): boolean {
  if (finding.kind === "package") return finding.dependenciesIn === undefined;
  return finding.kind === "problem" || finding.kind === "evidence";
}

/** The key of problems in reading archives, among the names of detectors. */
const archiveReader = "archive-reader";

function problemOf({ name }: Pick<FileDetector, "name">, { path }: Pick<LayerFile, "path">, error: unknown): Finding {
  if (error instanceof ScanError) return { kind: "problem", path, code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "problem", path, code: "detector_failed", message: `${name}: ${message}` };
}
