import type { Bytes } from "../../bytes/bytes.ts";
import type { Digest } from "../../model/digest.ts";
import type { BlobLayer, ExpectedLayer, FileRange, FoundInLayer, SourceLayer } from "../image-source.ts";

/** What an archive or a layout holds, whether it lies on disk or has passed by. Names are those of members. */
export interface ArchiveContents<Found extends FoundInLayer> {
  has(name: string): Promise<boolean>;
  /**
   * A document of at most `maxDocumentBytes` bytes.
   * @param what names it in messages
   * @throws ScanError `malformed_image` when there is none
   */
  readDocument(name: string, what: string): Promise<Uint8Array>;
  /** The layer in a member. @throws ScanError when there is none, or it was read and is not the expected one */
  toLayer(name: string, layer: ArchivedLayer): SourceLayer<Found>;
}

/** What an image says of a layer in an archive. */
export interface ArchivedLayer {
  /** What the layer is known by. */
  readonly digest: Digest;
  readonly mediaType: string;
  readonly expected: ExpectedLayer;
}

/** The member of an OCI layout that holds a blob. Only parsed digests become names. */
export function blobName(digest: Digest): string {
  return `blobs/${digest.replace(":", "/")}`;
}

/**
 * A layer that is read where it stands, as often as needed.
 * @param file where that is, if it is known as an open file
 * @example
 * declare const layer: ArchivedLayer;
 * declare const open: () => Bytes;
 * const stored = storedLayer(layer, open);
 */
export function storedLayer(layer: ArchivedLayer, open: () => Bytes, file?: FileRange): BlobLayer {
  return { kind: "blob", ...layer, reopens: true, open, ...(file && { file }) };
}

/** Whether a member is there because of the file manager of macOS: a resource fork, folder settings. */
export function isDesktopFile(name: string): boolean {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return last.startsWith("._") || last === ".DS_Store";
}

/** Which form to read, and which image of several. */
export interface ArchiveSelection {
  /** For messages and for images without a name. */
  readonly archive: string;
  /** Docker's where both are there, unless told. */
  readonly form?: "docker" | "oci";
  /** The name the image goes by in the archive; needed when there are several. */
  readonly ref?: string;
}
