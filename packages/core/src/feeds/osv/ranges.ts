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
import { compareText } from "../../versions/define-order.ts";
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
 * The version ranges of one entry of `affected`. A range that cannot be read costs that range.
 * @throws ScanError `malformed_feed` where they are no list
 * @see https://ossf.github.io/osv-schema/#affectedrangesevents-fields
 */
export function osvRanges(affected: JsonPlace, readPart: ReadPart = wholeRecord): readonly AdvisoryRange[] {
  const ranges = readPart(() => optionalItemsAt(memberAt(affected, "ranges"))) ?? [];
  return ranges.flatMap((range) => readPart(() => readRange(range)) ?? []);
}

function readRange(range: JsonPlace): readonly AdvisoryRange[] {
  if (!versionRanges.has(stringAt(memberAt(range, "type")))) return [];
  return rangesOf(sortedEvents(itemsAt(memberAt(range, "events")).flatMap(eventsAt)));
}

/** An event is an object of one member; several mean as many events. */
function eventsAt(place: JsonPlace): readonly RangeEvent[] {
  return membersAt(place).map(([kind, version]) => {
    if (!eventKinds.has(kind)) throw unexpected(version, `no event ${JSON.stringify(kind)}`);
    return { kind: kind as EventKind, version: stringAt(version) };
  });
}

/** Walks the events from the lowest version up: a range opens at `introduced` and ends at whatever ends it first. */
function rangesOf(events: readonly RangeEvent[]): readonly AdvisoryRange[] {
  const ranges: AdvisoryRange[] = [];
  let open: AdvisoryRange | undefined;
  for (const { kind, version } of events) {
    if (kind === "introduced") open ??= version === "0" ? {} : { introduced: version };
    else if (open !== undefined && !(kind === "limit" && version === "*")) {
      ranges.push(kind === "last_affected" ? { ...open, lastAffected: version } : { ...open, fixed: version });
      open = undefined;
    }
  }
  return open === undefined ? ranges : [...ranges, open];
}

/**
 * Events are mostly written from the lowest version up, in turn; then they stay as they are. Others are put in order.
 * The ecosystem's own order is not known here; rpm's accepts every text and puts plain numbers right.
 */
function sortedEvents(events: readonly RangeEvent[]): readonly RangeEvent[] {
  const inTurn = events.every(({ kind }, i) => (kind === "introduced") === (i % 2 === 0));
  return inTurn ? events : [...events].sort(compareEvents);
}

/** `0` is below every version. What ends a range comes before what opens the next at the same version. */
function compareEvents(a: RangeEvent, b: RangeEvent): number {
  const [lowestA, lowestB] = [isLowest(a), isLowest(b)];
  if (lowestA || lowestB) return Number(lowestB) - Number(lowestA);
  return (
    compareText(rpmVersions, a.version, b.version) || Number(a.kind === "introduced") - Number(b.kind === "introduced")
  );
}

function isLowest({ kind, version }: RangeEvent): boolean {
  return kind === "introduced" && version === "0";
}
