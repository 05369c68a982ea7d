import type { ByteParts } from "../bytes/byte-parts.ts";
import type { UnassessedKind } from "../model/index-report.ts";
import type { PackageFile } from "../model/package-details.ts";
import type { EvidenceFinding, Finding } from "./finding.ts";
import type { Lookups } from "./lookups.ts";
import type { FileNames } from "./plugins-by-name.ts";

/** The metadata of one path in a layer, before its content is read. */
export interface FileEntry {
  /** Without a leading slash, `/`-separated, normalized: no `.`, `..` or empty segment. */
  readonly path: string;
  readonly kind: "file" | "hard-link" | "symbolic-link";
  /** The size of the content; 0 for links. */
  readonly sizeBytes: number;
  /** Permission bits. */
  readonly mode: number;
}

/** A file of a layer with its content. For a link, the content of its target in the same layer. */
export interface LayerFile {
  readonly path: string;
  /** The path of the content: the target if `path` is a link, otherwise `path` itself. */
  readonly contentPath: string;
  /** What it is: a file, or a link to one. A hard link is there without its target, too. @internal */
  readonly info?: Pick<FileEntry, "kind">;
  readonly mode: number;
  /** The whole content, in memory. */
  readonly bytes: Uint8Array;
  /** The same content for a detector that reads it part by part: a large content is then never in memory as a whole. */
  readonly parts?: ByteParts;
  /** The archive that the file is a member of; absent for a file of the layer itself. See {@link FileDetector.opens}. @internal */
  readonly archive?: OuterArchive;
  /**
   * What may be read of the file, if it is an archive, and of all archives in it: the budget of the outermost archive. Absent: what the detector allows.
   * @internal
   */
  readonly budget?: ReadingBudget;
}

/** Counts what is read of an archive and of all archives in it. Each method throws ScanError `memory_limit` above a limit. */
export interface ReadingBudget {
  /** @param depth 1 for the outermost archive */
  checkDepth(depth: number): void;
  /** Counts an entry of a directory. */
  countEntry(): void;
  /** Counts a member that is read, with its uncompressed bytes. */
  countPart(sizeBytes: number): void;
  /** Counts uncompressed bytes that are kept until they are closed. */
  open(sizeBytes: number): void;
  close(sizeBytes: number): void;
}

/** The archive around a file. The file's path is then that of the archive, a slash, and the name of the member. */
export interface OuterArchive {
  /** The path of the outermost archive, which is a file of the layer. */
  readonly file: string;
  /** The path of the innermost archive and a slash: `app.pex/.deps/a.whl/`. */
  readonly folder: string;
  /** The same as reports show it: `app.pex:.deps/a.whl:`. */
  readonly shown: string;
  /** 1 in the outermost archive. */
  readonly depth: number;
  /** The kind of packages that such archives are for; see {@link ArchiveOpening}. */
  readonly packages: UnassessedKind;
  /** What may be read of the outermost archive and of all archives in it. */
  readonly budget: ReadingBudget;
}

/** The files of one layer that one detector wants, in path order. */
export interface LayerFiles extends Iterable<LayerFile> {
  get(path: string): LayerFile | undefined;
}

/** What an engine asks of its detectors. */
export interface DetectOptions {
  /** Whether it uses what records say about packages besides (`details`). Default: true. */
  readonly details?: boolean;
  /** The digests of the file, for a package that is that file. They are computed once, if they are asked for. Absent: they are not wanted. @internal */
  readonly digests?: () => FileDigests;
}

/** The digests of a file that is a package. */
export type FileDigests = Omit<PackageFile, "kind">;

/** Finds packages, databases and releases in one layer, from several files together. */
export interface Detector {
  /** Stable, kebab-case; stored with results. */
  readonly name: string;
  /** Increased when the same layer would give other findings; this changes the index state. */
  readonly revision: number;
  /** The names of all files that the detector wants: it is not asked for others. Absent: it is asked for every file. */
  readonly names?: FileNames;
  /** Whether the detector needs the file's content. Called for every file and link of these names: cheap and pure. */
  wants(file: FileEntry): boolean;
  /** Pure. What cannot be read becomes a problem finding; a thrown error becomes one for the whole detector. */
  detect(files: LayerFiles, options?: DetectOptions): Iterable<Finding>;
}

/** The format of archives that are read like folders; `asar` is Electron's, `phar` PHP's. */
export type ArchiveFormat = "asar" | "phar" | "zip";

/** How the archives are read that a detector wants. Their members are inspected by all detectors, like the files of a folder with the path of the archive. */
export interface ArchiveOpening {
  /** The kind of packages that the archives are for. */
  readonly packages: UnassessedKind;
  /** Default: zip. */
  readonly format?: ArchiveFormat;
  /** Whether a file that the detector wants is an archive. Default: each of them is. */
  isArchive?(file: LayerFile): boolean;
  /** Set if an archive may rightly be without packages. By default, one in which no detector finds a package is evidence of packages that were not read. */
  readonly mayBeEmpty?: true;
}

/**
 * A mark in the content of programs: the place where a program of .NET may have its files, build information of Go, the dependency list or the compiler of a Rust
 * program, the line by which Erlang (`escript`) and the members by which Python (`zipapp`) or Java (`jar`) starts a zip archive that can be executed, the header of an archive of Electron (`asar`), what
 * ends the program before an archive of PHP (`phar`), the symbol of a program that GraalVM has compiled from Java (`native-image`), what PyInstaller (`pyinstaller`), and Bun, Deno or
 * Node.js (`javascript`) write into a program with its packages.
 */
export type BuildMark =
  | "asar"
  | "dotnet"
  | "escript"
  | "go"
  | "jar"
  | "javascript"
  | "native-image"
  | "phar"
  | "pyinstaller"
  | "rust"
  | "zipapp";

/** A package that a lock file lists. */
export interface LockFileEntry {
  readonly name: string;
  /** Empty if the file does not say. */
  readonly version: string;
  /** Whether the package is needed only to develop the project. Default: false. */
  readonly isDevelopment?: boolean;
  /** Whether the package may rightly be missing: it is for other platforms, or an option of the project. Default: false. */
  readonly isOptional?: boolean;
  /**
   * The files that describe the members of a workspace which need the package in any case, relative to the folder of the lock file. Absent: the file does
   * not say which members need what.
   */
  readonly neededBy?: readonly string[];
}

/**
 * Finds packages in single files while a layer is streamed. A content is read once and not kept, so an image may have any
 * number of such files. Databases of several files need a {@link Detector}.
 */
export interface FileDetector {
  /** Stable, kebab-case; stored with results. No {@link Detector} has the same. */
  readonly name: string;
  /** Increased when the same file would give other findings; this changes the index state. */
  readonly revision: number;
  /** See {@link Detector.names}. */
  readonly names?: FileNames;
  /**
   * Whether the detector needs the file's content, by its path and size. Called for every file and link of these names: cheap and pure. The file of a symbolic
   * link is shown with the path of the link, unless the detector wants it by its own path.
   */
  wants(file: FileEntry): boolean;
  /** Programs with this mark are passed to the detector too, whatever their path. @internal */
  readonly programs?: BuildMark;
  /** Set if the files are archives. @internal */
  readonly opens?: ArchiveOpening;
  /**
   * Set if a file in an archive means nothing to the detector: `true` in any archive, or the kind of packages that the archives are for. A lock file
   * in a package lists what its authors used.
   */
  readonly ignoresArchives?: true | UnassessedKind;
  /** The detector that uses the look-ups of an engine; it has the same name. Absent if it needs only the file. @internal */
  readonly withLookups?: (lookups: Lookups) => FileDetector;
  /** Pure. Keeps nothing of the bytes. A thrown error becomes a problem of the file. */
  detect(file: LayerFile, options?: DetectOptions): Iterable<Finding>;
  /**
   * What a symbolic link shows by its path and target; nothing of a file is read. Called for every one: cheap and pure. Absent: nothing.
   * @param link its path, and the target as the layer states it: relative to the folder of the link, or from the root
   */
  links?(link: { readonly path: string; readonly target: string }): Iterable<Finding>;
  /**
   * The names of the files that the detector reads in a folder because of the name of a symbolic link to it. Files that it wants at their own paths are read
   * there. Called for every symbolic link: cheap and pure. Absent: none.
   */
  readsBelow?(path: string): readonly string[];
  /** All packages that a lock file lists, also those that `detect` leaves out. Without it, those of `detect` count. @internal */
  lists?(file: LayerFile): Iterable<LockFileEntry>;
}

/** A symbolic link of a layer. */
export type LayerLink = Parameters<NonNullable<FileDetector["links"]>>[0];

/**
 * Finds packages by path alone, among the paths that the engine records as evidence of packages in a layer. No content is read.
 */
export interface PathDetector {
  /** Stable, kebab-case. No other detector has the same. */
  readonly name: string;
  /** Increased when the same path would give other findings; this changes the index state. */
  readonly revision: number;
  /** The kind of evidence that it gets. */
  readonly packages: UnassessedKind;
  /** Pure. Evidence that it returns remains unassessed. */
  detect(evidence: EvidenceFinding): Iterable<Finding>;
}

/** Files that a package of the operating system installed. */
export interface OwnedFiles {
  /** As in the layer. */
  readonly paths: readonly string[];
  /** The name of the package. */
  readonly owner: string;
  /** The path of the file that says so, in the same layer. The owner counts as long as that file and the package are in the image. */
  readonly listedIn: string;
  /** See `OwnedFinding.databaseIn`. */
  readonly databaseIn?: string;
}

/** The files of a package, as a list of its packaging system names them. */
export interface ListedFiles extends Pick<OwnedFiles, "listedIn" | "databaseIn"> {
  /** The name of the package. Absent: the only package of the database. */
  readonly owner?: string;
  /** Absent: of any version or architecture. */
  readonly version?: string;
  readonly arch?: string;
  /** As in the layer; those of folders do not count. */
  readonly files: readonly string[];
  /** The digest of each file that the list states, `md5:` and hex digits; empty for one of which it states none. Absent: it states none at all. */
  readonly digests?: readonly string[];
}

/** Reads the lists of the files of packages with their digests, for an engine that is asked for them. */
export interface FileLists extends Omit<FileOwners, "owners"> {
  /** Pure. A thrown error leaves the remaining files out. */
  lists(files: LayerFiles): Iterable<ListedFiles>;
}

/** Lists the files that packages of an operating system own, so that a package found in such a file is not counted twice. */
export interface FileOwners {
  /** Stable, kebab-case. No detector has the same. */
  readonly name: string;
  /** Increased when the same files would give other owners; this changes the index state. */
  readonly revision: number;
  /** See {@link Detector.names}. */
  readonly names?: FileNames;
  wants(file: FileEntry): boolean;
  /** Pure. A thrown error leaves the remaining files without owners. */
  owners(files: LayerFiles): Iterable<OwnedFiles>;
}
