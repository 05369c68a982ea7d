import type { ByteParts } from "../bytes/byte-parts.ts";
import type { Bytes } from "../bytes/bytes.ts";
import type { Limits } from "../bytes/limits.ts";
import type { Digest } from "../model/digest.ts";
import type { FileDetector, FileEntry, LayerFile } from "../plugins/detector.ts";
import type { EvidenceFinding, ProblemFinding } from "../plugins/finding.ts";
import type { CreateHasher, Decompressors, Scratch } from "../ports.ts";
import type { InspectedFindings } from "./file-inspection.ts";

/** A set of paths, kept as sorted 53-bit hashes; plain data once encoded. */
export interface PathSet {
  has(path: string): boolean;
  /** Whether the path with this hash is in the set. */
  hasHash(hash: number): boolean;
  /** In ascending order; not to be changed. {@link pathSetOf} is the inverse. */
  readonly hashes: Float64Array<ArrayBuffer>;
  /** Base64 of the hashes; {@link decodePathSet} is its inverse. */
  encode(): string;
}

/**
 * What a layer does to the layers below it.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/layer.md#representing-changes
 */
export interface LayerShape {
  /** Paths deleted by `.wh.NAME`, with all that is below them. */
  readonly removed: PathSet;
  /** Folders whose lower content is hidden by `.wh..wh..opq`; `""` is the root. */
  readonly opaque: PathSet;
  /** Every path that is no folder: hides the same path and all that is below it in lower layers. */
  readonly leaves: PathSet;
  /** Every folder: hides a lower file of the same path. */
  readonly folders: PathSet;
}

/** A file of a layer with what detectors are told of it before they see its content. */
export interface KeptFile extends LayerFile {
  readonly info: FileEntry;
  readonly parts: ByteParts;
}

/** The result of reading a layer. */
export interface LayerContents {
  /** The wanted files by path, links resolved inside the layer, in path order. */
  readonly files: ReadonlyMap<string, KeptFile>;
  readonly shape: LayerShape;
  readonly entries: number;
  readonly sizeBytes: number;
  readonly uncompressedBytes: number;
  /** Wanted files that could not be kept: too large, dangling or looping links, an escape from the root. */
  readonly problems: readonly ProblemFinding[];
  /** Files that show that packages are there which no detector reads. */
  readonly evidence: readonly EvidenceFinding[];
  /** What file detectors found. */
  readonly inspected: InspectedFindings;
}

/** Options of reading a layer. */
export interface ReadLayerOptions {
  /** Starts the layer's bytes from the beginning; called again when a wanted link leads to a file not kept. */
  open(): Bytes;
  /** False for bytes that pass only once: a wanted link to a file not kept is then a problem. */
  readonly reopens: boolean;
  /** What the manifest and the image configuration promise; each is checked when given. */
  readonly expected: { readonly digest?: Digest; readonly sizeBytes?: number; readonly diffId?: Digest };
  readonly wants: (file: FileEntry) => boolean;
  /** What looks at single files as they pass. */
  readonly fileDetectors?: readonly FileDetector[];
  readonly decompressors: Decompressors;
  readonly createHasher: CreateHasher;
  /** Where large contents are kept; in memory where absent. What is read is good for as long as this is. */
  readonly scratch?: Scratch;
  readonly limits: Limits;
  readonly signal?: AbortSignal;
}
