const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 } as const;

/**
 * Parses a length of time such as `2w` to milliseconds: a number and one of s, m, h, d, w, y. Undefined for any other text, and for
 * lengths that are too large.
 */
export function parseTimeDelta(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})([smhdwy])$/.exec(text.trim()) ?? [];
  if (count === undefined) return undefined;
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  return Number.isSafeInteger(ms) ? ms : undefined;
}

const units = ["w", "d", "h", "m"] as const;

/** Formats a number of seconds as such a text, in the largest unit from `w` to `s` that gives a whole number. */
export function formatTimeDelta(seconds: number): string {
  const unit = units.find((each) => seconds > 0 && (seconds * 1000) % unitMs[each] === 0) ?? "s";
  return `${(seconds * 1000) / unitMs[unit]}${unit}`;
}
