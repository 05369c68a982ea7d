/** The label that sets how long the tags of an image live. */
export const expirationLabel = "quay.expires-after";

/** By a label, tags live at least an hour and at most 104 weeks. */
const [minimumMs, maximumMs] = [3_600_000, 104 * 7 * 86_400_000];

/** Keeps the instant at which a label ends a tag within the least and the longest lifetime, counted from the tag's start. */
export function clampTagEnd(startAt: number, endAt: number): number {
  return Math.min(startAt + maximumMs, Math.max(startAt + minimumMs, endAt));
}

/** How long content without references is kept, because its push may be under way: milliseconds. */
export const graceMs = {
  /** A blob that no manifest of the repository has: counted from its link. */
  links: 24 * 3_600_000,
  /** A manifest that was pushed by its digest. */
  manifests: 3_600_000,
  /** An upload: counted from its last bytes. */
  uploads: 2 * 24 * 3_600_000,
} as const;
