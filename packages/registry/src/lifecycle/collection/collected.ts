/** Something that was collected, or would be. */
export interface Collected {
  /**
   * The kinds of collected items. A link connects a repository with a blob. A tag that ends with its image can be restored as long
   * as the image can.
   */
  readonly kind: "tag" | "manifest" | "link" | "blob" | "upload" | "repository" | "namespace";
  readonly repositoryId?: string;
  /** A name, a digest or an id. */
  readonly what: string;
  readonly why: string;
  /** How many bytes its removal frees: only bytes that it stores itself count. */
  readonly sizeBytes: number;
}
