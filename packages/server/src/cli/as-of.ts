import { wrongValue } from "../config/wrong-value.ts";
import { UsageError } from "./exit-code.ts";

const dayMs = 86_400_000;

/**
 * The instant of `--as-of`, in epoch milliseconds. A day means its end in UTC, or now if that is earlier.
 *
 *     YYYY-MM-DD | an ISO 8601 instant with an offset
 *
 * @throws UsageError
 */
export function parseAsOf(text: string, now: number): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  const at = isDay || isInstant ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at) || (isDay && new Date(at).toISOString().slice(0, 10) !== text))
    throw wrongValue({
      place: "--as-of",
      expected: "a day (2026-03-31) or a time (2026-03-31T12:00:00Z)",
      found: text,
    });
  if (at > now) throw new UsageError(`--as-of: ${text} is in the future`);
  return isDay ? Math.min(at + dayMs - 1, now) : at;
}
