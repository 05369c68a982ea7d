import { rpmVersions } from "../../ecosystems/rpm/version.ts";
import { type AdvisoryRange, commitBound } from "../../model/advisory.ts";
import { isObject } from "../../model/json-object.ts";
import {
  itemsAt,
  type JsonPlace,
  memberAt,
  membersAt,
  optionalItemsAt,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { findVersion } from "../../versions/define-order.ts";
import { semverVersions } from "../../versions/semver/version.ts";
import { type ReadPart, wholeRecord } from "../shared/malformed-feed.ts";

/** Types of ranges over versions; `GIT` ranges are over commits. */
const versionRanges: ReadonlySet<string> = new Set(["ECOSYSTEM", "SEMVER"]);

type EventKind = "introduced" | "fixed" | "last_affected" | "limit";

interface RangeEvent {
  readonly kind: EventKind;
  readonly version: string;
}

const eventKinds: ReadonlySet<string> = new Set(["introduced", "fixed", "last_affected", "limit"]);

/**
 * The version ranges of one entry of `affected`. With `readPart`, a malformed range is skipped.
 * @throws ScanError `malformed_feed`
 * @see https://ossf.github.io/osv-schema/#affectedrangesevents-fields
 */
export function osvRanges(
  affected: JsonPlace,
  order: VersionScheme,
  readPart: ReadPart = wholeRecord,
): readonly AdvisoryRange[] {
  return readRanges(memberAt(affected, "ranges"), order, readPart);
}

/** The version ranges of a list of them. */
function readRanges(list: JsonPlace, order: VersionScheme, readPart: ReadPart): readonly AdvisoryRange[] {
  const ranges = readPart(() => optionalItemsAt(list)) ?? [];
  return ranges.flatMap((range) => readPart(() => readRange(range, order)) ?? []);
}

function readRange(range: JsonPlace, own: VersionScheme): readonly AdvisoryRange[] {
  const type = stringAt(memberAt(range, "type"));
  if (!versionRanges.has(type)) return [];
  const place = memberAt(range, "events");
  const events = itemsAt(place)
    .flatMap(eventsAt)
    .filter((event) => !isNoLimit(event));
  const sorted = inOrder(events, type === "SEMVER" ? semverVersions : own);
  if (sorted !== undefined) return rangesOf(sorted);
  const others = isAlternating(events) ? events : inOrder(events, rpmVersions); // rpm's order accepts nearly every text
  if (others === undefined) throw unexpected(place, "versions that have an order");
  return rangesOf(others);
}

/** An event is an object with one member; an object with several members is several events. */
function eventsAt(place: JsonPlace): readonly RangeEvent[] {
  return membersAt(place).map(([kind, version]) => {
    if (!eventKinds.has(kind)) throw unexpected(version, `no event ${JSON.stringify(kind)}`);
    return { kind: kind as EventKind, version: stringAt(version) };
  });
}

/** The bounds of events that end a range. A limit ends the range without stating a fix. */
const ends = { fixed: "fixed", last_affected: "lastAffected", limit: "below" } as const satisfies Record<
  Exclude<EventKind, "introduced">,
  keyof AdvisoryRange
>;

/** Walks the events from the lowest version up: a range begins at `introduced` and ends at the first event that ends it. */
function rangesOf(events: readonly RangeEvent[]): readonly AdvisoryRange[] {
  const ranges: AdvisoryRange[] = [];
  let open: AdvisoryRange | undefined;
  for (const { kind, version } of events) {
    if (kind === "introduced") open ??= version === "0" ? {} : { introduced: version };
    else if (open !== undefined) {
      ranges.push({ ...open, [ends[kind]]: version });
      open = undefined;
    }
  }
  return open === undefined ? ranges : [...ranges, open];
}

/** An event with its version in an order; without it for `introduced: 0`, which is below every version. */
interface OrderedEvent<V> extends RangeEvent {
  readonly parsed: V | undefined;
}

/** The events from the lowest version up. Undefined if a version is not valid in the order. */
function inOrder<V>(events: readonly RangeEvent[], order: VersionScheme<V>): readonly RangeEvent[] | undefined {
  const parsed: OrderedEvent<V>[] = [];
  for (const event of events) {
    const version = isLowest(event) ? undefined : findVersion(order, event.version);
    if (version === undefined && !isLowest(event)) return undefined;
    parsed.push({ ...event, parsed: version });
  }
  return inTurn(
    parsed.sort((a, b) => compareEvents(order, a, b)),
    order,
  );
}

/**
 * Puts the events at the same version in turn. The end of an open range comes before the beginning of the next one; otherwise the beginning
 * comes first: `introduced: 1, last_affected: 1` is one version.
 */
function inTurn<V>(events: readonly OrderedEvent<V>[], order: VersionScheme<V>): readonly RangeEvent[] {
  const turned: RangeEvent[] = [];
  let same: OrderedEvent<V>[] = [];
  const turn = () => {
    const [begins, ends] = [same.filter(isBeginning), same.filter((event) => !isBeginning(event))];
    const isOpen = turned.at(-1)?.kind === "introduced";
    turned.push(...(isOpen ? [...ends, ...begins] : [...begins, ...ends]));
    same = [];
  };
  for (const event of events) {
    const [first] = same;
    if (first !== undefined && compareEvents(order, first, event) !== 0) turn();
    same.push(event);
  }
  turn();
  return turned;
}

function compareEvents<V>(order: VersionScheme<V>, a: OrderedEvent<V>, b: OrderedEvent<V>): number {
  if (a.parsed === undefined || b.parsed === undefined)
    return Number(b.parsed === undefined) - Number(a.parsed === undefined);
  return order.compare(a.parsed, b.parsed);
}

/** Whether each beginning is followed by an end, as nearly always. */
function isAlternating(events: readonly RangeEvent[]): boolean {
  return events.every((event, i) => isBeginning(event) === (i % 2 === 0));
}

function isBeginning({ kind }: RangeEvent): boolean {
  return kind === "introduced";
}

/** A limit of `*` means that there is no limit. */
function isNoLimit({ kind, version }: RangeEvent): boolean {
  return kind === "limit" && version === "*";
}

function isLowest({ kind, version }: RangeEvent): boolean {
  return kind === "introduced" && version === "0";
}

/** The members of an entry of `affected` whose form each database defines itself. */
const specificMembers = ["ecosystem_specific", "database_specific"] as const;

/**
 * The version ranges of one entry of `affected`, its custom ranges included. Where it has custom ranges, a range without an end is only about
 * versions without a release (`v0.0.0-20240527153015-0123456789ab`), which are below 0.0.0: the custom ranges say which releases are affected.
 *
 * Ranges of the Go vulnerability database over versions that Go's module system does not know. A program of such a module, such as
 * Grafana 11.0.0, states the version of its release, but a module that requires it has a version made from a time and a commit.
 *
 *     "ranges": [{ "type": "SEMVER", "events": [{ "introduced": "0" }] }],
 *     "ecosystem_specific": { "custom_ranges": [{ "type": "ECOSYSTEM", "events": [{ "introduced": "0" }, { "fixed": "11.0.1" }] }] }
 *
 * @throws ScanError `malformed_feed`
 * @see https://go.dev/doc/security/vuln/database#schema
 */
export function rangesWithCustom(
  affected: JsonPlace,
  order: VersionScheme,
  readPart: ReadPart,
): readonly AdvisoryRange[] {
  const ranges = osvRanges(affected, order, readPart);
  const custom = specificMembers.flatMap((member) => customRanges(memberAt(affected, member), order, readPart));
  return custom.length === 0 ? ranges : [...ranges.map(withoutReleases), ...custom];
}

/** The ranges of commits of an entry that has no others: a version is not comparable with them, but the record is about the package. */
export function commitRanges(affected: JsonPlace, readPart: ReadPart): readonly AdvisoryRange[] {
  const list = memberAt(affected, "ranges");
  const ranges = Array.isArray(list.value) ? itemsAt(list) : []; // another form is a problem already
  const ofCommits = ranges.filter(({ value }) => isObject(value) && value.type === "GIT");
  return ofCommits.flatMap((range) => readPart(() => commitRange(range)) ?? []);
}

function commitRange(range: JsonPlace): readonly AdvisoryRange[] {
  const events = itemsAt(memberAt(range, "events")).flatMap(eventsAt);
  const begin = events.find(isBeginning);
  const end = events.find((event) => !isBeginning(event) && !isNoLimit(event));
  if (begin === undefined) return [];
  return [end === undefined ? { introduced: commitBound + begin.version } : { below: commitBound + end.version }];
}

/** Whether a range is one of commits. */
export function isOfCommits({ introduced = "", below = "" }: AdvisoryRange): boolean {
  return introduced.startsWith(commitBound) || below.startsWith(commitBound);
}

function customRanges(specific: JsonPlace, order: VersionScheme, readPart: ReadPart): readonly AdvisoryRange[] {
  const { value } = specific;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return readRanges(memberAt(specific, "custom_ranges"), order, readPart);
}

function withoutReleases(range: AdvisoryRange): AdvisoryRange {
  const { fixed, lastAffected, below } = range;
  return (fixed ?? lastAffected ?? below) === undefined ? { ...range, below: "0.0.0" } : range;
}
