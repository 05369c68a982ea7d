import type { ByteParts } from "../bytes/byte-parts.ts";
import type { UnassessedKind } from "../model/index-report.ts";
import type { EvidenceFinding, Finding } from "./finding.ts";

/** The metadata of one path in a layer, before its content is read. */
export interface FileEntry {
  /** Without a leading slash, `/`-separated, normalized: no `.`, `..` or empty segment. */
  readonly path: string;
  readonly kind: "file" | "hard-link" | "symbolic-link";
  /** Of the content; 0 for links. */
  readonly sizeBytes: number;
  /** Permission bits. */
  readonly mode: number;
}

/** A file of a layer with its content. For a link, the content of what it leads to inside the same layer. */
export interface LayerFile {
  readonly path: string;
  /** Where the content stands: `path` itself unless `path` is a link. */
  readonly contentPath: string;
  readonly mode: number;
  /** All of it, in memory. */
  readonly bytes: Uint8Array;
  /** The same for a detector that looks at one part after the other: a large content is then never in memory as a whole. */
  readonly parts?: ByteParts;
}

/** The files of one layer that one detector wants, in path order. */
export interface LayerFiles extends Iterable<LayerFile> {
  get(path: string): LayerFile | undefined;
}

/** Finds things in one layer. */
export interface Detector {
  /** Stable, kebab-case; stored with results. */
  readonly name: string;
  /** Raised when the same layer would give other findings: changes the engine's state. */
  readonly revision: number;
  /** Whether the detector needs the file's content. Called for every file and link: cheap and pure. */
  wants(file: FileEntry): boolean;
  /** Pure. What cannot be read becomes a problem finding; a thrown error becomes one for the whole detector. */
  detect(files: LayerFiles): Iterable<Finding>;
}

/** A mark that compilers leave in programs: build information of Go, the dependency list of a Rust program. */
export type BuildMark = "go" | "rust";

/**
 * Finds packages in single files, each by itself, while a layer streams by. A content is looked at once and not kept, so that an
 * image may hold any number of such files. {@link Detector}s are for databases of several files.
 */
export interface FileDetector {
  /** Stable, kebab-case; stored with results. No {@link Detector} has the same. */
  readonly name: string;
  /** Raised when the same file would give other findings: changes the engine's state. */
  readonly revision: number;
  /** Whether the detector needs the file's content, by its path and size. Called for every file and hard link: cheap and pure. */
  wants(file: FileEntry): boolean;
  /** The mark of the programs that the detector needs besides, wherever they lie. */
  readonly programs?: BuildMark;
  /** Pure. Keeps nothing of the bytes. A thrown error becomes a problem of the file. */
  detect(file: LayerFile): Iterable<Finding>;
}

/**
 * Finds packages that paths alone tell, among those that are noted of a layer because they show that packages are there. No content is
 * read for it.
 */
export interface PathDetector {
  /** Stable, kebab-case. No other detector has the same. */
  readonly name: string;
  /** Raised when the same path would give other findings: changes the engine's state. */
  readonly revision: number;
  /** Which evidence it is asked about. */
  readonly packages: UnassessedKind;
  /** Pure. Evidence that it gives back stays not assessed. */
  detect(evidence: EvidenceFinding): Iterable<Finding>;
}

/** A file that a package of the operating system brought. */
export interface OwnedFile {
  /** As the layer names it. */
  readonly path: string;
  /** The name of the package. */
  readonly owner: string;
}

/** Says which files the packages of an operating system own, so that what is in them is not counted as a second package. */
export interface FileOwners {
  /** Stable, kebab-case. No detector has the same. */
  readonly name: string;
  /** Raised when the same files would give other owners: changes the engine's state. */
  readonly revision: number;
  wants(file: FileEntry): boolean;
  /** Pure. Asked only of layers in which files prove packages; a thrown error leaves the rest of the files without owners. */
  owners(files: LayerFiles): Iterable<OwnedFile>;
}
