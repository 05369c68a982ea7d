/**
 * The catalog of endoflife.date: products, their releases, and the end of fixes for each release.
 *
 * ```
 * { result: [{ name, label?, aliases?: [name], identifiers?: [{ type: "purl" | "cpe" | …, id }],
 *     releases: [{ name, eolFrom?: date, eoesFrom?: date, … }] }] }
 * ```
 *
 * `eolFrom` is the end of general support, `eoesFrom` the end of extended support.
 * @see https://endoflife.date/docs/api/v1/
 */
import { ScanError } from "../../errors.ts";
import { recordItems } from "../../feeds/shared/malformed-feed.ts";
import { parseWfn } from "../../model/cpe/parse.ts";
import {
  itemsAt,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import { parsePurl } from "../../model/purl.ts";
import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { cpeTag, nameTag, purlTag } from "./tags.ts";

/** The ends of support of a product's releases. */
export interface Lifecycle {
  readonly product: string;
  /** The end of general support (`YYYY-MM-DD`) by release name. */
  readonly ends: Readonly<Record<string, string>>;
  /** The end of extended support (`YYYY-MM-DD`) by release name. */
  readonly extendedEnds: Readonly<Record<string, string>>;
}

/**
 * A record for each product, under all its names, package URLs and CPE names. A malformed product becomes a problem.
 * @throws ScanError `malformed_feed` for another document
 */
export function lifecycleRecords(catalog: JsonPlace): readonly FeedItem<EnrichmentRecord>[] {
  return itemsAt(memberAt(catalog, "result")).flatMap((place) =>
    recordItems(`${place.document}: ${place.path}`, () => [recordOf(place)]),
  );
}

function recordOf(place: JsonPlace): EnrichmentRecord {
  const name = stringAt(memberAt(place, "name"));
  const releases = itemsAt(memberAt(place, "releases"));
  const names = [name, ...optionalItemsAt(memberAt(place, "aliases")).map(stringAt)];
  const identifiers = optionalItemsAt(memberAt(place, "identifiers")).flatMap(identifierTags);
  return {
    tags: [...new Set([...names.map(nameTag), ...identifiers])],
    record: {
      product: optionalStringAt(memberAt(place, "label")) ?? name,
      ends: daysOf(releases, "eolFrom"),
      extendedEnds: daysOf(releases, "eoesFrom"),
    },
  };
}

function daysOf(releases: readonly JsonPlace[], member: string): Readonly<Record<string, string>> {
  const days = releases.flatMap((release) => {
    const place = memberAt(release, member);
    const day = optionalStringAt(place);
    if (day === undefined) return [];
    if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw unexpected(place, "a day like 2026-01-31");
    return [[stringAt(memberAt(release, "name")), day]];
  });
  return Object.fromEntries(days);
}

/** The tag of an identifier. Empty for other types and for malformed identifiers: a product may have further ones. */
function identifierTags(place: JsonPlace): readonly string[] {
  const [type, id] = [stringAt(memberAt(place, "type")), stringAt(memberAt(place, "id"))];
  try {
    if (type === "purl") return [purlTag(parsePurl(id))];
    return type === "cpe" ? [cpeTag(parseWfn(id))] : [];
  } catch (error) {
    if (error instanceof ScanError) return [];
    throw error;
  }
}
