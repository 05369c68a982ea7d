/** How long what nothing refers to is kept, because its push may be under way: milliseconds. */
export const graceMs = {
  /** A blob that a repository was given and no manifest has. */
  links: 24 * 3_600_000,
  /** A manifest that was pushed by its digest. */
  manifests: 3_600_000,
  /** An upload that nothing was added to. */
  uploads: 2 * 24 * 3_600_000,
} as const;
