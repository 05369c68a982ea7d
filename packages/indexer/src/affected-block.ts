/** Every one of the vulnerabilities applies to every one of the images. */
export interface AffectedBlock {
  /** Ids of vulnerabilities. */
  readonly ids: readonly string[];
  /** Digests. */
  readonly manifests: readonly string[];
}
