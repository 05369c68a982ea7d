/** The kind of an archive member. Volume labels and unknown types are not members. */
export type TarKind = "file" | "hard-link" | "symbolic-link" | "folder" | "device";

/** One member of a tar archive, as all of its headers together describe it. */
export interface TarEntry {
  /** As written, so with any leading `./` or `/`; bytes that are no UTF-8 stand as `\xNN`. */
  readonly name: string;
  readonly kind: TarKind;
  /** As written; empty unless the entry is a link. A hard link names another member, a symbolic link is a path. */
  readonly linkName: string;
  /** Of the content as a reader of the file sees it: holes of a sparse file count. */
  readonly sizeBytes: number;
  /** Of the content as it stands in the archive. */
  readonly storedBytes: number;
  /** Whether it stands there without its holes, so that what is stored is not the content. */
  readonly isSparse?: true;
  /** Permission bits. */
  readonly mode: number;
}

/** Looks at content that is not kept, part by part as it streams by. False: the rest need not be shown. */
export type Watcher = (part: Uint8Array) => boolean;

/** Receives the members of an archive while it is read. */
export interface TarVisitor {
  /**
   * Called for every member in archive order. True: its content is wanted and comes next, whole. A watcher sees the
   * content as it is stored, without a copy.
   */
  entry(entry: TarEntry): boolean | Watcher;
  /** The content of the entry that was last wanted; the bytes are the visitor's to keep. */
  content(entry: TarEntry, bytes: Uint8Array): void;
}
