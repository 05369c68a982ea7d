import type { Bytes } from "../../bytes/bytes.ts";
import type { Digest } from "../../model/digest.ts";
import type { BlobLayer, ExpectedLayer, FileRange, FoundInLayer, SourceLayer } from "../image-source.ts";

/** The members of an archive or a layout, stored on disk or already read from a stream. */
export interface ArchiveContents<Found extends FoundInLayer> {
  has(name: string): Promise<boolean>;
  /**
   * A document of at most `maxDocumentBytes` bytes.
   * @param what names it in messages
   * @throws ScanError `malformed_image` when there is none
   */
  readDocument(name: string, what: string): Promise<Uint8Array>;
  /** The layer in a member. @throws ScanError when there is no such member, or when it was already read and is not the expected layer */
  toLayer(name: string, layer: ArchivedLayer): SourceLayer<Found>;
}

/** A layer in an archive as its image describes it. */
export interface ArchivedLayer {
  /** Identifies the layer. */
  readonly digest: Digest;
  readonly mediaType: string;
  readonly expected: ExpectedLayer;
}

/** The name of the member of an OCI layout that holds a blob. A parsed digest cannot contain path segments. */
export function blobName(digest: Digest): string {
  return `blobs/${digest.replace(":", "/")}`;
}

/**
 * A layer that is read in place, as often as needed.
 * @param file the range of an open file that holds the same bytes, if there is one
 */
export function storedLayer(layer: ArchivedLayer, open: () => Bytes, file?: FileRange): BlobLayer {
  return { kind: "blob", ...layer, reopens: true, open, file };
}

/** Whether a member was added by the file manager of macOS: a resource fork, folder settings. */
export function isDesktopFile(name: string): boolean {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return last.startsWith("._") || last === ".DS_Store";
}

/** Selects the form of an archive and an image in it. */
export interface ArchiveSelection {
  /** For messages and for images without a name. */
  readonly archive: string;
  /** By default docker's form where the archive has both. */
  readonly form?: "docker" | "oci";
  /** The name the image goes by in the archive; needed when there are several. */
  readonly ref?: string;
}
