/** Something that was collected, or would be. */
export interface Collected {
  /** A link is what gives a repository a blob. A tag that ends with its image can be restored as long as the image can. */
  readonly kind: "tag" | "manifest" | "link" | "blob" | "upload" | "repository" | "namespace";
  readonly repositoryId?: string;
  /** A name, a digest or an id. */
  readonly what: string;
  readonly why: string;
  /** What it leaves free: only what is stored itself counts. */
  readonly sizeBytes: number;
}
