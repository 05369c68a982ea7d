/**
 * OpenVEX.
 *
 * ```
 * { "@context": "https://openvex.dev/ns/…", author, timestamp?, statements: [{ vulnerability: { name, aliases? } | text, timestamp?,
 *   products: [text | { "@id"?, identifiers?: { purl? }, hashes?, subcomponents?: [text | { "@id"?, identifiers? }] }],
 *   status, justification?, impact_statement?, action_statement? }] }
 * ```
 * @see https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md
 */
import {
  isAbsent,
  itemsAt,
  type JsonPlace,
  memberAt,
  membersAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../model/json-place.ts";
import { instantAt, placeOf } from "./places.ts";
import type { VexProduct, VexStatement, VexStatus } from "./statement.ts";

/** Whether a document is OpenVEX. */
export function isOpenVex(document: JsonPlace): boolean {
  const { value } = memberAt(document, "@context");
  const context = Array.isArray(value) ? value[0] : value;
  return typeof context === "string" && context.startsWith("https://openvex.dev/ns");
}

/** Reads the statements of a document. @throws ScanError `malformed_vex` */
export function openVexStatements(document: JsonPlace): readonly VexStatement[] {
  const author = optionalStringAt(memberAt(document, "author"));
  const statedAt = instantAt(memberAt(document, "timestamp"));
  return itemsAt(memberAt(document, "statements")).map((place): VexStatement => {
    const text = (name: string) => optionalStringAt(memberAt(place, name));
    const justification = text("justification");
    const detail = text("impact_statement") ?? text("status_notes") ?? text("action_statement");
    const stated = instantAt(memberAt(place, "last_updated")) ?? instantAt(memberAt(place, "timestamp")) ?? statedAt;
    return {
      vulnerability: vulnerabilityAt(memberAt(place, "vulnerability")),
      status: statusAt(memberAt(place, "status")),
      products: optionalItemsAt(memberAt(place, "products")).flatMap(productsAt),
      place: placeOf(place),
      ...(author !== undefined && { author }),
      ...(stated !== undefined && { statedAt: stated }),
      ...(justification !== undefined && { justification }),
      ...(detail !== undefined && { detail }),
    };
  });
}

function vulnerabilityAt(place: JsonPlace): readonly string[] {
  if (typeof place.value === "string") return [place.value];
  const aliases = optionalItemsAt(memberAt(place, "aliases")).map(stringAt);
  return [stringAt(memberAt(place, "name")), ...aliases];
}

const statuses: ReadonlySet<string> = new Set<VexStatus>(["not_affected", "fixed", "affected", "under_investigation"]);

function statusAt(place: JsonPlace): VexStatus {
  if (!isStatus(place.value)) throw unexpected(place, `one of ${[...statuses].join(", ")}`);
  return place.value;
}

function isStatus(value: unknown): value is VexStatus {
  return typeof value === "string" && statuses.has(value);
}

/** The products of an entry: its subcomponents, or itself without any; one product for each identifier. */
function productsAt(place: JsonPlace): readonly VexProduct[] {
  const images = identifiersAt(place);
  const components = isText(place) ? [] : optionalItemsAt(memberAt(place, "subcomponents")).flatMap(identifiersAt);
  if (components.length === 0) return images.map((image) => ({ image }));
  return images.flatMap((image) => components.map((component) => ({ image, component })));
}

function identifiersAt(place: JsonPlace): readonly string[] {
  if (isText(place)) return [stringAt(place)];
  const id = optionalStringAt(memberAt(place, "@id"));
  const purl = optionalStringAt(memberAt(memberOrNothing(place, "identifiers"), "purl"));
  const hashes = membersAt(memberAt(place, "hashes")).flatMap(([algorithm, hash]) =>
    algorithm === "sha-256" ? [`sha256:${stringAt(hash)}`] : [],
  );
  const found = [id, purl, ...hashes].filter((each) => each !== undefined);
  if (found.length === 0) throw unexpected(place, "a product with @id, identifiers or hashes");
  return [...new Set(found)];
}

function memberOrNothing(place: JsonPlace, name: string): JsonPlace {
  const member = memberAt(place, name);
  return isAbsent(member) ? { ...member, value: {} } : member;
}

function isText({ value }: JsonPlace): boolean {
  return typeof value === "string";
}
