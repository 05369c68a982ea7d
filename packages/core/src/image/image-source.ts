/**
 * The interface between indexing and a place that holds images. Opening a source finds the images and their layers; the bytes of
 * a layer are fetched only when it is read. The reader of layers decides the type of the findings; sources only pass them on.
 */
import type { ByteParts } from "../bytes/byte-parts.ts";
import type { Bytes } from "../bytes/bytes.ts";
import type { Limits } from "../bytes/limits.ts";
import type { Digest } from "../model/digest.ts";
import type { ImageConfig } from "../model/image-manifest.ts";
import type { IndexReport, Problem } from "../model/index-report.ts";
import type { Platform } from "../model/platform.ts";
import type { Decompressors } from "../ports.ts";
import type { DocumentKind } from "../vex/attached-artifacts.ts";

/** The common part of all records of a layer's findings, decoded or encoded. */
export interface FoundInLayer {
  readonly digest: Digest;
  /** Of the uncompressed bytes, where they were hashed. */
  readonly diffId?: Digest;
  readonly uncompressedBytes: number;
}

/** A place that holds images: an archive, a registry reference, a folder. */
export interface ImageSource {
  /** As the user would write it; contains no secrets. */
  readonly name: string;
  /**
   * Finds the images.
   * @throws ScanError `source_unreachable`, `unauthorized`, `not_found`, `no_such_platform`, `malformed_image`,
   * `malformed_archive`, `unsupported_source`, `unsupported_media_type`, `aborted`
   */
  open<Found extends FoundInLayer>(options: OpenSourceOptions<Found>): Promise<OpenedSource<Found>>;
  /** Reads the documents of a kind that are attached to an image of the source; absent where a source has no attached documents. @internal */
  readonly readAttached?: (manifestDigest: Digest, options: ReadAttachedOptions) => Promise<AttachedDocuments>;
}

/** Options of reading attached documents. */
export interface ReadAttachedOptions {
  readonly kind: DocumentKind;
  readonly signal?: AbortSignal;
}

/** Documents that are attached to an image, or to the index through which it was found. */
export interface AttachedDocuments {
  readonly documents: readonly { readonly digest: Digest; readonly bytes: Uint8Array }[];
  /** Documents that could not be read. */
  readonly problems: readonly Problem[];
  /** The digest of the image, and of the index through which it was found. */
  readonly digests: readonly Digest[];
}

/** Options of opening a source. */
export interface OpenSourceOptions<Found extends FoundInLayer = FoundInLayer> {
  /** The platform of the image; `"all"` for every image. An image for another platform is never used instead. */
  readonly platform?: Platform | "all";
  /** The platform to choose among several images where `platform` is absent. An only image is used whatever its platform. */
  readonly preferredPlatform?: Platform;
  /** Ends opening and every later reading of a layer. */
  readonly signal?: AbortSignal;
  /** @internal */
  readonly readLayer: LayerReader<Found>;
  /** @internal */
  readonly readFolder: FolderReader<Found>;
  /** @internal */
  readonly readTogether: TogetherReader<Found>;
  /** For archives that are compressed as a whole. @internal */
  readonly decompressors: Decompressors;
  /** @internal */
  readonly limits: Limits;
}

/** Readers of layers and folders with the detectors of one engine. */
export type LayerReaders<Found extends FoundInLayer = FoundInLayer> = Pick<
  OpenSourceOptions<Found>,
  "readLayer" | "readFolder" | "readTogether" | "decompressors"
>;

/** Readers and limits for sources that can be read only once or have no layer blobs: they read layers while opening. */
export type LayerReading<Found extends FoundInLayer = FoundInLayer> = LayerReaders<Found> &
  Pick<OpenSourceOptions<Found>, "limits">;

/** Digests and size of a layer as the manifest and the image configuration state them. */
export type ExpectedLayer = LayerBytes["expected"];

/** The bytes of one layer, as stored: compressed or not. */
export interface LayerBytes {
  /** Streams the bytes from the beginning; the signal ends a wait for the next chunk. */
  open(signal?: AbortSignal): Bytes;
  /** Whether `open` may be called again. */
  readonly reopens: boolean;
  /** Digests and size as the manifest and the image configuration state them. */
  readonly expected: {
    /** Of the bytes as stored; checked. */
    readonly digest?: Digest;
    /** Of the bytes as stored; checked. */
    readonly sizeBytes?: number;
    /** Of the uncompressed bytes; checked. */
    readonly diffId?: Digest;
  };
  /** The same bytes in a local file, if there is one: another thread can then read them itself. @internal */
  readonly file?: FileRange;
  /** The same bytes, to read at any place, where the reader of the layer can: a program in an uncompressed layer is then not copied. @internal */
  readonly parts?: ByteParts;
  /** Present where other code verifies the bytes: resolves to their digest when that is done. The reader then computes no digest. @internal */
  readonly verifiedDigest?: Promise<Digest>;
}

/** A part of an open file. */
export interface FileRange {
  /** The file descriptor. */
  readonly fd: number;
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Reads one layer; resolves to its findings and the digests and size of its bytes. */
export type LayerReader<Found extends FoundInLayer = FoundInLayer> = (
  layer: LayerBytes,
  options?: { readonly signal?: AbortSignal },
) => Promise<ReadLayer<Found>>;

/**
 * Reads a folder as the root of a file system, like the only layer of an image. The digest of the result is computed from the
 * wanted files: the same files give the same digest wherever the folder is.
 * @throws ScanError `entry_limit`, `memory_limit`, `layer_too_costly`, `aborted`
 */
export type FolderReader<Found extends FoundInLayer = FoundInLayer> = (
  folder: string,
  options?: { readonly signal?: AbortSignal },
) => Promise<Found>;

/**
 * Reads files of several layers, which belong together, as if one layer had them. The layers were read before.
 * @throws ScanError as for a layer
 */
export type TogetherReader<Found extends FoundInLayer = FoundInLayer> = (
  files: FilesTogether,
  options?: { readonly signal?: AbortSignal },
) => Promise<Found>;

/** Files of several layers that belong together. */
export interface FilesTogether {
  /** Identifies the files and their layers; the result has it. */
  readonly digest: Digest;
  readonly parts: readonly { readonly layer: LayerBytes; readonly paths: readonly string[] }[];
}

/** A layer that was read. */
export interface ReadLayer<Found extends FoundInLayer = FoundInLayer> {
  readonly record: Found;
  /** Of the bytes as stored. */
  readonly digest: Digest;
  readonly sizeBytes: number;
  /** Of the uncompressed bytes, where they were hashed. */
  readonly diffId?: Digest;
}

/** The images of a source. Disposing closes connections and files, so read all layers first. */
export interface OpenedSource<Found extends FoundInLayer = FoundInLayer> extends AsyncDisposable {
  /** At least one. */
  readonly images: readonly SourceImage<Found>[];
}

/** One image for one platform. */
export interface SourceImage<Found extends FoundInLayer = FoundInLayer> {
  /** The name the image goes by in its source: `docker.io/library/nginx:1.27`, a path. */
  readonly reference: string;
  /** Set if it is a folder or a file, and not the image of a container: it may be the root of a machine, whose kernel runs. */
  readonly isFolder?: true;
  /** Identifies the image in reports. Each source documents its value for images without a stored manifest. */
  readonly manifestDigest: Digest;
  readonly platform?: Platform;
  readonly config?: ImageConfig;
  /** Base first. */
  readonly layers: readonly SourceLayer<Found>[];
  /** The report of an image that is only a list of packages. Such an image has no layers, and no detector runs. @internal */
  readonly listed?: IndexReport;
}

/** One layer of an image. */
export type SourceLayer<Found extends FoundInLayer = FoundInLayer> =
  /** Its bytes can be read. */
  | (LayerBytes & {
      readonly kind: "blob";
      /** Identifies the layer: the digest of the blob, or the diff id where the source knows no other. */
      readonly digest: Digest;
      readonly mediaType: string;
    })
  /** A layer that cannot be read from the source: it is stored elsewhere, or is not a file system layer. */
  | {
      readonly kind: "foreign";
      readonly digest: Digest;
      readonly mediaType: string;
      readonly message: string;
    }
  /** A layer that was already read while its source was opened. */
  | {
      readonly kind: "read";
      readonly digest: Digest;
      readonly record: Found;
      /** Its bytes, if the source can stream them once more. */
      readonly again?: LayerBytes;
    };

/** A layer whose bytes can be read. */
export type BlobLayer = Extract<SourceLayer, { readonly kind: "blob" }>;

/** A layer without content in the image. */
export type ForeignLayer = Extract<SourceLayer, { readonly kind: "foreign" }>;

/** A layer that was already read while its source was opened. */
export type FoundLayer<Found extends FoundInLayer = FoundInLayer> = Extract<
  SourceLayer<Found>,
  { readonly kind: "read" }
>;
