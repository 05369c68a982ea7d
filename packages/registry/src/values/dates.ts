const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** An instant as the management API writes it: `Fri, 21 Aug 2026 20:02:54 -0000` (RFC 2822 §3.3). */
export function formatDate(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${days[date.getUTCDay()]}, ${two(date.getUTCDate())} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} -0000`;
}

/** Parses an instant such as `2026-11-21T12:00:00Z`; undefined for any other text, also for 30 February. */
export function parseIsoSeconds(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text)) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  return formatIsoSeconds(at) === text ? at : undefined;
}

const instant = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Parses an instant as programs write them, with parts of a second and an offset or without: `2026-11-21T13:00:00.250+01:00`. Undefined
 * for any other text, also for 30 February.
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 */
export function parseInstant(text: string): number | undefined {
  const [, seconds] = instant.exec(text) ?? [];
  return seconds === undefined || parseIsoSeconds(`${seconds}Z`) === undefined ? undefined : Date.parse(text);
}

/** An instant as `2026-11-21T12:00:00Z`. */
export function formatIsoSeconds(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** As {@link formatDate}; null for null. */
export function formatOptionalDate(at: number | null): string | null {
  return at === null ? null : formatDate(at);
}

/** The day of an instant, in UTC: `YYYY-MM-DD`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

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
