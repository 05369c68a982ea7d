import { rpmVersions } from "../../ecosystems/rpm/version.ts";
import type { AdvisoryRange } from "../../model/advisory.ts";
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
import { compareText, findVersion } from "../../versions/define-order.ts";
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
  const ranges = readPart(() => optionalItemsAt(memberAt(affected, "ranges"))) ?? [];
  return ranges.flatMap((range) => readPart(() => readRange(range, order)) ?? []);
}

function readRange(range: JsonPlace, order: VersionScheme): readonly AdvisoryRange[] {
  const type = stringAt(memberAt(range, "type"));
  if (!versionRanges.has(type)) return [];
  const place = memberAt(range, "events");
  const sorted = sortedEvents(itemsAt(place).flatMap(eventsAt), type === "SEMVER" ? semverVersions : order);
  if (sorted === undefined) throw unexpected(place, "versions that have an order");
  return rangesOf(sorted);
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
    else if (open !== undefined && !isNoLimit({ kind, version })) {
      ranges.push({ ...open, [ends[kind]]: version });
      open = undefined;
    }
  }
  return open === undefined ? ranges : [...ranges, open];
}

/**
 * Sorts events. Most are written from the lowest version up, alternating, and stay as they are. Others are sorted in the ecosystem's version
 * order, or in rpm's if a version is not valid in that; rpm accepts nearly every text. Undefined where a version is valid in neither.
 */
function sortedEvents(events: readonly RangeEvent[], own: VersionScheme): readonly RangeEvent[] | undefined {
  const isAlternating = events.every(({ kind }, i) => (kind === "introduced") === (i % 2 === 0));
  if (isAlternating) return events;
  const versions = events.filter((event) => !isLowest(event) && !isNoLimit(event));
  const accepts = (order: VersionScheme) => versions.every(({ version }) => findVersion(order, version) !== undefined);
  const order = [own, rpmVersions].find(accepts);
  return order && events.filter((event) => !isNoLimit(event)).sort(compareEvents(order));
}

/** A limit of `*` means that there is no limit. */
function isNoLimit({ kind, version }: RangeEvent): boolean {
  return kind === "limit" && version === "*";
}

/** `0` is below every version. At the same version, the end of a range comes before the beginning of the next one. */
function compareEvents(order: VersionScheme): (a: RangeEvent, b: RangeEvent) => number {
  return (a, b) => {
    const [lowestA, lowestB] = [isLowest(a), isLowest(b)];
    if (lowestA || lowestB) return Number(lowestB) - Number(lowestA);
    return (
      compareText(order, a.version, b.version) || Number(a.kind === "introduced") - Number(b.kind === "introduced")
    );
  };
}

function isLowest({ kind, version }: RangeEvent): boolean {
  return kind === "introduced" && version === "0";
}
