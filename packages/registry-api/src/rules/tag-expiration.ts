/** The label that says how long the tags of an image live. */
export const expirationLabel = "quay.expires-after";

const unitMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
};

/** Tags live at least an hour and at most 104 weeks once it is said how long. */
const [minimumMs, maximumMs] = [3_600_000, 104 * 7 * 86_400_000];

/** Parses a time such as `2w`, in milliseconds: a number and one of s, m, h, d, w, y. @returns undefined for anything else */
export function parseTimeDelta(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,10})([smhdwy])$/.exec(text.trim()) ?? [];
  const factor = unitMs[unit];
  return count === undefined || factor === undefined ? undefined : Number(count) * factor;
}

/** When a tag ends that was to end at an instant: not too early and not too late, counted from its start. */
export function clampTagEnd(startAt: number, endAt: number): number {
  return Math.min(startAt + maximumMs, Math.max(startAt + minimumMs, endAt));
}
