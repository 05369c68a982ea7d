import type { ByteParts } from "../bytes/byte-parts.ts";
import type { Bytes } from "../bytes/bytes.ts";
import type { Limits } from "../bytes/limits.ts";
import type { EvidenceRules } from "../evidence/evidence-rules.ts";
import type { Digest, DigestAlgorithm } from "../model/digest.ts";
import type { FileDetector, FileEntry, LayerFile } from "../plugins/detector.ts";
import type { EvidenceFinding, Finding, ProblemFinding, SymlinkFinding } from "../plugins/finding.ts";
import type { CreateHasher, Decompressors, Scratch } from "../ports.ts";

/** A set of paths, kept as sorted 53-bit hashes. It can be encoded as text. */
export interface PathSet {
  has(path: string): boolean;
  /** Whether the path with this hash is in the set. */
  hasHash(hash: number): boolean;
  /** In ascending order; do not change the array. {@link pathSetOf} is the inverse. */
  readonly hashes: Float64Array<ArrayBuffer>;
  /** Base64 of the hashes; {@link decodePathSet} is its inverse. */
  encode(): string;
}

/**
 * The effect of a layer on the layers below it.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/layer.md#representing-changes
 */
export interface LayerShape {
  /** Paths deleted by `.wh.NAME`, with everything below them. */
  readonly removed: PathSet;
  /** Folders whose lower content is hidden by `.wh..wh..opq`; `""` is the root. */
  readonly opaque: PathSet;
  /** Every path that is not a folder: hides the same path and everything below it in lower layers. */
  readonly leaves: PathSet;
  /** Every folder: hides a lower file of the same path. */
  readonly folders: PathSet;
}

/** A kept file of a layer with the description by which detectors wanted it. */
export interface KeptFile extends LayerFile {
  readonly info: FileEntry;
  readonly parts: ByteParts;
}

/** Findings of file detectors in one layer, by the detector's name; files in path order. */
export type InspectedFindings = Readonly<Record<string, readonly Finding[]>>;

/** The result of reading a layer. */
export interface LayerContents {
  /** The wanted files by path, links resolved inside the layer, in path order. */
  readonly files: ReadonlyMap<string, KeptFile>;
  readonly shape: LayerShape;
  readonly entries: number;
  readonly sizeBytes: number;
  readonly uncompressedBytes: number;
  /** The digests that were compared or computed. */
  readonly digest?: Digest;
  readonly diffId?: Digest;
  /** Wanted files that could not be kept: too large, dangling or looping links, paths out of the root. */
  readonly problems: readonly ProblemFinding[];
  /** Files that are evidence of packages. */
  readonly evidence: readonly EvidenceFinding[];
  /** Findings of file detectors. */
  readonly inspected: InspectedFindings;
  /** Symbolic links to folders, to other layers and to files that were read through them. */
  readonly links: readonly SymlinkFinding[];
}

/** Options of reading a layer. */
export interface ReadLayerOptions {
  /** Streams the layer's bytes from the beginning; called again when a wanted link leads to a file that was not kept. */
  open(): Bytes;
  /** False for bytes that can be read only once: a wanted link to a file that was not kept is then a problem. */
  readonly reopens: boolean;
  /** The same bytes, to read at any place; absent for bytes that only stream by. */
  readonly parts?: ByteParts;
  /** Digests and size from the manifest and the image configuration; each is checked when given. */
  readonly expected: { readonly digest?: Digest; readonly sizeBytes?: number; readonly diffId?: Digest };
  /** The algorithms of the digests to compute where none is expected. */
  readonly computes?: { readonly digest?: DigestAlgorithm | undefined; readonly diffId?: DigestAlgorithm | undefined };
  readonly wants: (file: FileEntry) => boolean;
  /** What shows that packages are there. Absent: no file does. */
  readonly evidence?: EvidenceRules;
  /** Detectors that inspect single files as they pass. */
  readonly fileDetectors?: readonly FileDetector[];
  /** See `DetectOptions`. */
  readonly details?: boolean;
  readonly decompressors: Decompressors;
  readonly createHasher: CreateHasher;
  /** Keeps large contents; where absent they are in memory. The returned files are valid as long as this is. */
  readonly scratch?: Scratch;
  readonly limits: Limits;
  readonly signal?: AbortSignal;
}
