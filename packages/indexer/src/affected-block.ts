/** A set of vulnerabilities and a set of images. Each of the vulnerabilities applies to each of the images. */
export interface AffectedBlock {
  /** Ids of vulnerabilities. */
  readonly ids: readonly string[];
  /** Manifest digests. */
  readonly manifests: readonly string[];
}
