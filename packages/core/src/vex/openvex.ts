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
  eachItemAt,
  isAbsent,
  type JsonPlace,
  memberAt,
  membersAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../model/json-place.ts";
import type { Steps } from "../model/slices.ts";
import { instantAt, placeOf } from "./places.ts";
import type { VexProduct, VexStatement, VexStatus } from "./statement.ts";

/** Whether a document is OpenVEX. */
export function isOpenVex(document: JsonPlace): boolean {
  const { value } = memberAt(document, "@context");
  const context = Array.isArray(value) ? value[0] : value;
  return typeof context === "string" && context.startsWith("https://openvex.dev/ns");
}

/** Reads the statements of a document. @throws ScanError `malformed_vex` */
export function* openVexStatements(document: JsonPlace): Steps<readonly VexStatement[]> {
  const author = optionalStringAt(memberAt(document, "author"));
  const statedAt = instantAt(memberAt(document, "timestamp"));
  const list = memberAt(document, "statements");
  if (isAbsent(list)) throw unexpected(list, "an array");
  const statements: VexStatement[] = [];
  for (const place of eachItemAt(list)) {
    const statement = yield* statementAt(place, statedAt);
    statements.push({ ...statement, author });
    yield;
  }
  return statements;
}

function* statementAt(place: JsonPlace, documentStatedAt: number | undefined): Steps<VexStatement> {
  const text = (name: string) => optionalStringAt(memberAt(place, name));
  const justification = text("justification");
  const detail = text("impact_statement") ?? text("status_notes") ?? text("action_statement");
  const statedAt =
    instantAt(memberAt(place, "last_updated")) ?? instantAt(memberAt(place, "timestamp")) ?? documentStatedAt;
  const products: VexProduct[] = [];
  for (const product of eachItemAt(memberAt(place, "products"))) yield* addProducts(product, products);
  return {
    vulnerability: vulnerabilityAt(memberAt(place, "vulnerability")),
    status: statusAt(memberAt(place, "status")),
    products,
    place: placeOf(place),
    statedAt,
    justification,
    detail,
  };
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

/** Adds the products of an entry: its subcomponents, or itself without any; one product for each identifier. */
function* addProducts(place: JsonPlace, products: VexProduct[]): Steps<void> {
  const images = identifiersAt(place);
  const components: string[] = [];
  for (const each of isText(place) ? [] : eachItemAt(memberAt(place, "subcomponents"))) {
    components.push(...identifiersAt(each));
    yield;
  }
  for (const image of images) {
    if (components.length === 0) products.push({ image });
    for (const component of components) products.push({ image, component });
    yield;
  }
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
  return [...new Set(found)].filter((each) => !found.some((other) => other.startsWith(`${each}@`))); // the one with a version says more
}

function memberOrNothing(place: JsonPlace, name: string): JsonPlace {
  const member = memberAt(place, name);
  return isAbsent(member) ? { ...member, value: {} } : member;
}

function isText({ value }: JsonPlace): boolean {
  return typeof value === "string";
}
