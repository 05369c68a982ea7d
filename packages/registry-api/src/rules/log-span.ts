import { invalidRequest } from "../errors.ts";
import type { LogSpan } from "../store/usage-log.ts";

const dayMs = 86_400_000;

/** Aggregates cover no more days than this. */
const maxAggregatedDays = 31;

/**
 * The span of two dates written `MM/DD/YYYY`, with a zone after them or none; the day of the end is included. A date that is
 * missing or not written so is replaced: yesterday for the start, today for the end. The end may be before the start.
 */
export function logSpan(start: string | undefined, end: string | undefined, now: number): LogSpan {
  const startAt = parseLogDate(start) ?? now - dayMs;
  const endAt = (parseLogDate(end) ?? now) + dayMs;
  return { startAt, endAt };
}

/** @throws RegistryError `invalid_request` when the end is before the start */
export function checkSpan({ startAt, endAt }: LogSpan): void {
  if (endAt <= startAt) throw invalidRequest("Invalid time span selected: the end is before the start");
}

/** @throws RegistryError `invalid_request` when the span cannot be aggregated, or is too long to be */
export function checkAggregable(span: LogSpan): void {
  checkSpan(span);
  if (span.endAt - span.startAt <= maxAggregatedDays * dayMs) return;
  throw invalidRequest(`Invalid time span selected: expected at most ${maxAggregatedDays} days`);
}

/** Midnight UTC of a date written `MM/DD/YYYY`; undefined when it is no such date. */
export function parseLogDate(text: string | undefined): number | undefined {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: +(?:UTC|GMT|Z|[+-]0000))?$/.exec(text ?? "") ?? [];
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const date = new Date(at);
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? at : undefined;
}
