import { invalidRequest } from "../errors.ts";
import type { LogSpan } from "./queries/usage-log.ts";
import { zoneOffsetMinutes } from "./zone-offset.ts";

const dayMs = 86_400_000;

/** The most days that aggregates cover. */
const maxAggregatedDays = 31;

/** The two dates of a client's query. */
export interface LogDates {
  readonly starttime?: string;
  readonly endtime?: string;
}

/**
 * The span of two dates written `MM/DD/YYYY`, with a zone after them or none; the day of the end is included. A date that is
 * missing is replaced: today for the end, and for the start the day before the end. The end may be before the start.
 * @throws RegistryError `invalid_request` for a date that cannot be read
 */
export function logSpan({ starttime, endtime }: LogDates, now: number): LogSpan {
  const lastDayAt = endtime === undefined ? now : getLogDate("endtime", endtime);
  const startAt = starttime === undefined ? lastDayAt - dayMs : getLogDate("starttime", starttime);
  return { startAt, endAt: lastDayAt + dayMs };
}

function getLogDate(name: string, text: string): number {
  const at = parseLogDate(text);
  if (at !== undefined) return at;
  const found = JSON.stringify(text.slice(0, 40));
  throw invalidRequest(`${name}: expected MM/DD/YYYY, or that with a zone such as UTC or %2B0200, found ${found}`);
}

/** @throws RegistryError `invalid_request` when the end is before the start */
export function checkSpan({ startAt, endAt }: LogSpan): void {
  if (endAt <= startAt) throw invalidRequest("Invalid time span selected: the end is before the start");
}

/** @throws RegistryError `invalid_request` when the end is before the start, or the span is longer than a month */
export function checkAggregable(span: LogSpan): void {
  checkSpan(span);
  if (isAggregable(span)) return;
  throw invalidRequest(`Invalid time span selected: expected at most ${maxAggregatedDays} days`);
}

/** Whether a span is short enough for aggregates. */
export function isAggregable({ startAt, endAt }: LogSpan): boolean {
  return endAt - startAt <= maxAggregatedDays * dayMs;
}

/** Midnight of a date written `MM/DD/YYYY`, in the zone after it or in UTC; undefined when the text is not such a date. */
export function parseLogDate(text: string): number | undefined {
  const [, month, day, year, zone = "UTC"] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: +([\w+/:-]{1,40}))?$/.exec(text) ?? [];
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const date = new Date(at);
  const shown = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCFullYear()];
  if ([month, day, year].some((part, index) => Number(part) !== shown[index])) return undefined;
  const offset = zoneOffsetMinutes(zone, at);
  return offset === undefined ? undefined : at - offset * 60_000;
}
