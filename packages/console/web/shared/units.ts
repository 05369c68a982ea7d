import { locale } from "../texts/language.ts";

const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Formats a size in bytes: `12.3 MiB`. */
export function formatSize(sizeBytes: number): string {
  const power = Math.min(units.length - 1, sizeBytes < 1 ? 0 : Math.floor(Math.log2(sizeBytes) / 10));
  const value = sizeBytes / 1024 ** power;
  return `${power === 0 ? value : oneDecimal.format(value)} ${units[power]}`;
}

const oneDecimal = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  useGrouping: false,
});
const grouped = new Intl.NumberFormat(locale);

/** Formats a count with thin spaces between thousands. */
export function formatCount(count: number): string {
  const parts = grouped.formatToParts(count);
  return parts.map(({ type, value }) => (type === "group" ? "\u2009" : value)).join("");
}

/** Formats a probability as a percentage with one decimal: `12.3`. */
export function formatPercent(probability: number): string {
  return oneDecimal.format(probability * 100);
}

const steps = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** Formats an instant relative to now: `3 days ago`, `in 2 hours`. */
export function formatAge(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return relative.format(0, "second");
}

/** The first 12 hexadecimal digits of a digest. */
export function shortDigest(digest: string): string {
  return digest.replace(/^[^:]*:/, "").slice(0, 12);
}
