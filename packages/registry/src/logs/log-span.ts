import { invalidRequest } from "../errors.ts";
import type { LogFilter, LogSpan } from "./queries/usage-log.ts";

/** The namespace and repository whose log is read; without both, the log of the whole registry. */
export type LogOwner = Pick<LogFilter, "namespaceId" | "repositoryId">;

const dayMs = 86_400_000;

/** The most days that aggregates cover. */
const maxAggregatedDays = 31;

/** The two dates of a client's query. */
interface LogDates {
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

/** Abbreviations of zones that `Intl` does not know or reads otherwise, in minutes east of UTC (RFC 2822 §4.3 and usual ones). */
const abbreviations: Readonly<Record<string, number>> = {
  Z: 0,
  UT: 0,
  WAT: 60,
  WEST: 60,
  BST: 60,
  CAT: 120,
  CEST: 120,
  SAST: 120,
  EAT: 180,
  EEST: 180,
  MSK: 180,
  GST: 240,
  PKT: 300,
  IST: 330,
  NPT: 345,
  ICT: 420,
  WIB: 420,
  AWST: 480,
  HKT: 480,
  MYT: 480,
  PHT: 480,
  SGT: 480,
  WITA: 480,
  JST: 540,
  KST: 540,
  WIT: 540,
  ACST: 570,
  AEST: 600,
  CHST: 600,
  ACDT: 630,
  AEDT: 660,
  NZST: 720,
  NZDT: 780,
  NDT: -150,
  ADT: -180,
  ART: -180,
  BRT: -180,
  NST: -210,
  AST: -240,
  CLT: -240,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  AKDT: -480,
  AKST: -540,
  HDT: -540,
  SST: -660,
};

const longestOffsetMinutes = 14 * 60;

/**
 * How many minutes a zone is east of UTC at an instant of local time; undefined when there is no such zone. Zones are offsets
 * (`+0200`, `-05:00`), abbreviations (`UTC`, `EST`) and names (`Europe/Berlin`).
 * @param localAt what the clocks of the zone show, as if it were UTC
 */
function zoneOffsetMinutes(zone: string, localAt: number): number | undefined {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{2})(?::?(\d{2}))?$/.exec(zone) ?? [];
  if (sign !== undefined) return fixedOffset(sign, Number(hours), Number(minutes));
  return abbreviations[zone.toUpperCase()] ?? namedOffset(zone, localAt);
}

function fixedOffset(sign: string, hours: number, minutes: number): number | undefined {
  const offset = hours * 60 + minutes;
  if (minutes > 59 || offset > longestOffsetMinutes) return undefined;
  return sign === "-" ? -offset : offset;
}

/** The offset of a zone when its clocks show a time. For a time that occurs twice, when clocks are put back, either offset. */
function namedOffset(zone: string, localAt: number): number | undefined {
  const format = formatOf(zone);
  if (format === undefined) return undefined;
  const guess = offsetAt(format, localAt);
  return offsetAt(format, localAt - guess * 60_000);
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch {
    return undefined; // a RangeError: there is no such zone
  }
}

/** `GMT+02:00` in minutes. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
}
