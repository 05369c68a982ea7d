/** The label that says how long the tags of an image live. */
export const expirationLabel = "quay.expires-after";

/** By a label, tags live at least an hour and at most 104 weeks. */
const [minimumMs, maximumMs] = [3_600_000, 104 * 7 * 86_400_000];

/** When a tag ends that a label lets end at an instant: not too early and not too late, counted from its start. */
export function clampTagEnd(startAt: number, endAt: number): number {
  return Math.min(startAt + maximumMs, Math.max(startAt + minimumMs, endAt));
}

/** How long what nothing refers to is kept, because its push may be under way: milliseconds. */
export const graceMs = {
  /** A blob that a repository was given and no manifest has. */
  links: 24 * 3_600_000,
  /** A manifest that was pushed by its digest. */
  manifests: 3_600_000,
  /** An upload that nothing was added to. */
  uploads: 2 * 24 * 3_600_000,
} as const;
