/** The kind of an archive member. Volume labels and entries of unknown types are not members. */
export type TarKind = "file" | "hard-link" | "symbolic-link" | "folder" | "device";

/** One member of a tar archive, as all of its headers together describe it. */
export interface TarEntry {
  /** As written, including a leading `./` or `/`; bytes that are not UTF-8 are escaped as `\xNN`. */
  readonly name: string;
  readonly kind: TarKind;
  /** As written; empty unless the entry is a link. A hard link names another member, a symbolic link is a path. */
  readonly linkName: string;
  /** The size of the file's content, including the holes of a sparse file. */
  readonly sizeBytes: number;
  /** The size of the content in the archive. */
  readonly storedBytes: number;
  /** The place of the content in the archive, in bytes from its beginning. */
  readonly contentAt: number;
  /** Whether the content in the archive is without its holes, so that it differs from the file's content. */
  readonly isSparse?: true;
  /** Permission bits. */
  readonly mode: number;
}

/** Receives content that is not kept, in parts, as it streams by. Returns false when it does not want further parts. */
export type Watcher = (part: Uint8Array) => boolean;

/** Receives the members of an archive while it is read. */
export interface TarVisitor {
  /**
   * Called for every member in archive order. Return true to get its content as a whole in the next call of `content`. A
   * watcher receives the content as stored, without a copy.
   */
  entry(entry: TarEntry): boolean | Watcher;
  /** Receives the content of the last wanted entry. The visitor may keep the bytes. */
  content(entry: TarEntry, bytes: Uint8Array): void;
}
