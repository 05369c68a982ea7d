/**
 * What indexing needs of a place that holds images. Every source is a small value: opening one finds the images and their
 * layers; the bytes of a layer flow only when they are read. What is found in a layer is the reader's: sources pass it on.
 */
import type { Bytes } from "../bytes/bytes.ts";
import type { Limits } from "../bytes/limits.ts";
import type { Digest } from "../model/digest.ts";
import type { ImageConfig } from "../model/image-manifest.ts";
import type { IndexReport, Problem } from "../model/index-report.ts";
import type { Platform } from "../model/platform.ts";
import type { Decompressors } from "../ports.ts";
import type { DocumentKind } from "../vex/attached-artifacts.ts";

/** What was found in a layer, in whatever form: findings, or a text of them. */
export interface FoundInLayer {
  readonly digest: Digest;
  /** Of the uncompressed bytes, where they were hashed. */
  readonly diffId?: Digest;
  readonly uncompressedBytes: number;
}

/** An image archive, a registry reference, a folder: something that holds images. */
export interface ImageSource {
  /** As the user would write it; never holds a secret. */
  readonly name: string;
  /**
   * Finds the images.
   * @throws ScanError `source_unreachable`, `unauthorized`, `not_found`, `no_such_platform`, `malformed_image`,
   * `malformed_archive`, `unsupported_source`, `unsupported_media_type`, `aborted`
   */
  open<Found extends FoundInLayer>(options: OpenSourceOptions<Found>): Promise<OpenedSource<Found>>;
  /** Reads the documents of a kind that are attached to an image of the source; absent where none can be. */
  readonly readAttached?: (manifestDigest: Digest, options: ReadAttachedOptions) => Promise<AttachedDocuments>;
}

/** Which attached documents are read. */
export interface ReadAttachedOptions {
  readonly kind: DocumentKind;
  readonly signal?: AbortSignal;
}

/** Documents that are attached to an image, or to an index that it was named by. */
export interface AttachedDocuments {
  readonly documents: readonly { readonly digest: Digest; readonly bytes: Uint8Array }[];
  /** What could not be read. */
  readonly problems: readonly Problem[];
  /** The image's, and that of the index that it was named by. */
  readonly digests: readonly Digest[];
}

/** Options of opening a source. */
export interface OpenSourceOptions<Found extends FoundInLayer = FoundInLayer> extends LayerReading<Found> {
  /** Whose image to take; `"all"` for every one. An image for another platform is never taken instead. */
  readonly platform?: Platform | "all";
  /** Which image of several to take where `platform` is absent; then a lone image is taken whatever it is for. */
  readonly preferredPlatform?: Platform;
  /** Ends opening and every later reading of a layer. */
  readonly signal?: AbortSignal;
}

/** Reads what images are made of, with the detectors of one engine. */
export interface LayerReaders<Found extends FoundInLayer = FoundInLayer> {
  readonly readLayer: LayerReader<Found>;
  readonly readFolder: FolderReader<Found>;
  /** For what is compressed around layers: an archive as a whole. */
  readonly decompressors: Decompressors;
}

/** What the indexer lends to sources whose bytes pass only once or that have no layer blobs. */
export interface LayerReading<Found extends FoundInLayer = FoundInLayer> extends LayerReaders<Found> {
  readonly limits: Limits;
}

/** What the manifest and the image configuration promise of a layer. */
export interface ExpectedLayer {
  /** Of the bytes as stored; checked. */
  readonly digest?: Digest;
  /** Of the bytes as stored; checked. */
  readonly sizeBytes?: number;
  /** Of the uncompressed bytes; checked. */
  readonly diffId?: Digest;
}

/** The bytes of one layer, as stored: compressed or not. */
export interface LayerBytes {
  /** Starts the bytes from the beginning; the signal ends a wait for the next ones. */
  open(signal?: AbortSignal): Bytes;
  /** Whether `open` may be called again. */
  readonly reopens: boolean;
  readonly expected: ExpectedLayer;
  /** Where the same bytes stand on this machine, if they do: another thread then reads them by itself. */
  readonly file?: FileRange;
  /** Given where the bytes are verified elsewhere: resolves to their digest once they are. No digest is computed then. */
  readonly verifiedDigest?: Promise<Digest>;
}

/** A part of an open file. */
export interface FileRange {
  /** The file descriptor. */
  readonly fd: number;
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Reads one layer into a record of what was found and says what its bytes really were. */
export type LayerReader<Found extends FoundInLayer = FoundInLayer> = (
  layer: LayerBytes,
  options?: { readonly signal?: AbortSignal },
) => Promise<ReadLayer<Found>>;

/**
 * Reads a folder that is the root of a file system, as if it were the only layer of an image. Its digest is one of the wanted
 * files: the same files give the same digest wherever the folder is.
 * @throws ScanError `entry_limit`, `memory_limit`, `layer_too_costly`, `aborted`
 */
export type FolderReader<Found extends FoundInLayer = FoundInLayer> = (
  folder: string,
  options?: { readonly signal?: AbortSignal },
) => Promise<Found>;

/** A layer that was read. */
export interface ReadLayer<Found extends FoundInLayer = FoundInLayer> {
  readonly record: Found;
  /** Of the bytes as stored. */
  readonly digest: Digest;
  readonly sizeBytes: number;
  /** Of the uncompressed bytes, where they were hashed. */
  readonly diffId?: Digest;
}

/** The images of a source. Disposing ends connections and closes files: read all layers before. */
export interface OpenedSource<Found extends FoundInLayer = FoundInLayer> extends AsyncDisposable {
  /** At least one. */
  readonly images: readonly SourceImage<Found>[];
}

/** One image for one platform. */
export interface SourceImage<Found extends FoundInLayer = FoundInLayer> {
  /** The name the image goes by in its source: `docker.io/library/nginx:1.27`, a path. */
  readonly reference: string;
  /** Identifies the image in reports; each source says what it is where no manifest is stored. */
  readonly manifestDigest: Digest;
  readonly platform?: Platform;
  readonly config?: ImageConfig;
  /** Base first. */
  readonly layers: readonly SourceLayer<Found>[];
  /** What is in it, where a list of packages says so and no layer: then it has no layers, and nothing is looked for. */
  readonly listed?: IndexReport;
}

/** A layer whose bytes can be read. */
export interface BlobLayer extends LayerBytes {
  readonly kind: "blob";
  /** What the layer is known by: the blob's digest, or the diff id where the source knows no other. */
  readonly digest: Digest;
  readonly mediaType: string;
}

/** A layer that is not part of what the source can give: foreign, or no file system at all. */
export interface ForeignLayer {
  readonly kind: "foreign";
  readonly digest: Digest;
  readonly mediaType: string;
  readonly message: string;
}

/** A layer that was read while its bytes passed. */
export interface FoundLayer<Found extends FoundInLayer = FoundInLayer> {
  readonly kind: "read";
  readonly digest: Digest;
  readonly record: Found;
}

/** One layer of an image. */
export type SourceLayer<Found extends FoundInLayer = FoundInLayer> = BlobLayer | ForeignLayer | FoundLayer<Found>;
