const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Formats a size in bytes: `12.3 MiB`. */
export function formatSize(sizeBytes: number): string {
  const power = Math.min(units.length - 1, sizeBytes < 1 ? 0 : Math.floor(Math.log2(sizeBytes) / 10));
  const value = sizeBytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}

const grouped = new Intl.NumberFormat("en");

/** Formats a count with thin spaces between thousands. */
export function formatCount(count: number): string {
  return grouped.format(count).replaceAll(",", "\u2009");
}

/** Formats a probability as a percentage with one decimal: `12.3`. */
export function formatPercent(probability: number): string {
  return (probability * 100).toFixed(1);
}

const steps = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Formats an instant relative to now: `3 days ago`, `in 2 hours`. */
export function formatAge(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return "just now";
}

/** The first 12 hexadecimal digits of a digest. */
export function shortDigest(digest: string): string {
  return digest.replace(/^[^:]*:/, "").slice(0, 12);
}
