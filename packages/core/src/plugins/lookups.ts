import type { ByteParts } from "../bytes/byte-parts.ts";

/** A published artifact of Maven. */
export interface PublishedArtifact {
  readonly group: string;
  readonly artifact: string;
  readonly version: string;
}

/** The open file of an index. */
export interface OpenIndexFile {
  /** The file descriptor. */
  readonly fd: number;
  readonly sizeBytes: number;
}

/**
 * Looks up the coordinates of Java archives by their content, in an index of published ones. Called in the threads that read layers.
 * `readJavaIndex` makes one from the bytes of an index.
 */
export interface JavaCoordinates {
  /** Opaque; changes when a look-up could have another result. It is part of the index state, so that images are read again. */
  readonly state: string;
  /** The open file of the index, which the threads of a process share. Without one, layers are read in the calling thread. */
  readonly file?: OpenIndexFile;
  /** The artifacts that are published with exactly these bytes: usually one or none. @throws ScanError for a damaged index */
  ofArchive(bytes: ByteParts): readonly PublishedArtifact[];
  /**
   * The artifacts with a folder of classes that has this digest (`copied-classes.ts`). Absent if the index has no digests of classes.
   * @throws ScanError for a damaged index
   */
  readonly ofClasses?: (digest: Uint8Array) => readonly PublishedArtifact[];
  /** Groups that have published an artifact of this name; not all if there are many. @throws ScanError for a damaged index */
  groupsOf(artifact: string): readonly string[];
}

/** Facts that detectors look up outside of the image. */
export interface Lookups {
  readonly java?: JavaCoordinates;
}
