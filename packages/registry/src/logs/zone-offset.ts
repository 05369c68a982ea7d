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
export function zoneOffsetMinutes(zone: string, localAt: number): number | undefined {
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
