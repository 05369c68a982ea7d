/** The label that says how long the tags of an image live. */
export const expirationLabel = "quay.expires-after";

/** By a label, tags live at least an hour and at most 104 weeks. */
const [minimumMs, maximumMs] = [3_600_000, 104 * 7 * 86_400_000];

/** When a tag ends that a label lets end at an instant: not too early and not too late, counted from its start. */
export function clampTagEnd(startAt: number, endAt: number): number {
  return Math.min(startAt + maximumMs, Math.max(startAt + minimumMs, endAt));
}
