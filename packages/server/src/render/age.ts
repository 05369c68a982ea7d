const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** A duration in words, in its largest whole unit: `3 days`, `1 hour`, `less than a minute`. */
export function ageInWords(durationMs: number): string {
  for (const [name, unitMs] of units) {
    const count = Math.floor(durationMs / unitMs);
    if (count > 0) return `${count} ${name}${count === 1 ? "" : "s"}`;
  }
  return "less than a minute";
}
