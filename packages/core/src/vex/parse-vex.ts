/**
 * CycloneDX with vulnerabilities: a separate VEX document, or part of an SBOM.
 *
 * ```
 * { bomFormat: "CycloneDX", metadata?: { timestamp?, component?, authors?: [{ name? }], manufacturer?, manufacture?, supplier?: { name? } }, components?: [{ "bom-ref"?, purl?, components? }],
 *   vulnerabilities: [{ id, references?: [{ id }], affects?: [{ ref, versions?: [{ version | range, status? }] }], analysis?: { state, justification?, detail? }, updated? }] }
 * ref = bom-ref of this document | package URL | urn:cdx:SERIAL/VERSION#bom-ref
 * ```
 * @see https://cyclonedx.org/docs/1.6/json/#vulnerabilities
 */
import { utf8Of } from "../bytes/utf8-of.ts";
import { parseJson } from "../model/json.ts";
import {
  documentPlace,
  eachItemAt,
  isAbsent,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../model/json-place.ts";
import type { Json } from "../model/json-value.ts";
import { allAtOnce, inSlices, type Steps, type YieldToOthers } from "../model/slices.ts";
import { csafStatements, isCsaf } from "./csaf.ts";
import { isOpenVex, openVexStatements } from "./openvex.ts";
import { instantAt, placeOf } from "./places.ts";
import type { VexProduct, VexStatement, VexStatus } from "./statement.ts";

/**
 * Reads the statements of a VEX document: OpenVEX, CSAF 2.0 or CycloneDX, recognized by content. It may be in UTF-16 with a byte order mark.
 *
 * @param name of the document, for messages
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const statements = parseVex(await readFile("app.openvex.json"), "app.openvex.json");
 * @throws ScanError `malformed_vex` if it is none of them, or if any statement cannot be read: a document is not applied in part
 */
export function parseVex(bytes: Uint8Array, name: string): readonly VexStatement[] {
  return allAtOnce(vexSteps(parseJson(utf8Of(bytes, { name, code: "malformed_vex" }), name, "malformed_vex"), name));
}

/**
 * Reads the statements of a parsed VEX document as {@link parseVex} does, and yields the thread every few milliseconds.
 * @example
 * import { setImmediate } from "node:timers/promises";
 *
 * const document = JSON.parse('{ "@context": "https://openvex.dev/ns/v0.2.0", "statements": [] }');
 * const statements = await readVexInSlices(document, "app.openvex.json", () => setImmediate());
 * @throws ScanError `malformed_vex`
 */
export function readVexInSlices(
  document: NonNullable<Json>,
  name: string,
  yieldToOthers: YieldToOthers,
): Promise<readonly VexStatement[]> {
  return inSlices(vexSteps(document, name), yieldToOthers);
}

function* vexSteps(value: NonNullable<Json>, name: string): Steps<readonly VexStatement[]> {
  const document = documentPlace(value, name, "malformed_vex");
  if (typeof document.value !== "object" || Array.isArray(document.value)) throw unexpected(document, expected);
  if (isOpenVex(document)) return yield* openVexStatements(document);
  if (isCsaf(document)) return yield* csafStatements(document);
  if (isCycloneDx(document)) return yield* cycloneDxStatements(document);
  throw unexpected(document, expected);
}

const expected = "a document of OpenVEX, CSAF 2.0 or CycloneDX";

/** Whether a document is CycloneDX. */
function isCycloneDx(document: JsonPlace): boolean {
  return memberAt(document, "bomFormat").value === "CycloneDX";
}

/** Reads the statements of a document. @throws ScanError `malformed_vex` */
function* cycloneDxStatements(document: JsonPlace): Steps<readonly VexStatement[]> {
  const metadata = memberAt(document, "metadata");
  const known = new Map<string, VexProduct>();
  if (!isAbsent(metadata)) {
    const own = memberAt(metadata, "component");
    if (!isAbsent(own)) yield* addComponents([own].values(), (id) => ({ image: id }), known);
  }
  yield* addComponents(eachItemAt(memberAt(document, "components")), (id) => ({ component: id }), known);
  const statedAt = isAbsent(metadata) ? undefined : instantAt(memberAt(metadata, "timestamp"));
  const author = isAbsent(metadata) ? undefined : authorAt(metadata);
  const statements: VexStatement[] = [];
  for (const place of eachItemAt(memberAt(document, "vulnerabilities"))) {
    const statement = yield* statementAt(place, known, statedAt);
    if (statement !== undefined) statements.push({ ...statement, author });
    yield;
  }
  return statements;
}

/** The members that name the author of a document without `authors`, most specific first. */
const organizations = ["manufacturer", "manufacture", "supplier"] as const;

function authorAt(metadata: JsonPlace): string | undefined {
  const names = optionalItemsAt(memberAt(metadata, "authors")).flatMap((each) => nameAt(each) ?? []);
  if (names.length > 0) return names.join(", ");
  const places = organizations.map((name) => memberAt(metadata, name)).filter((place) => !isAbsent(place));
  return places.map(nameAt).find((name) => name !== undefined);
}

function nameAt(place: JsonPlace): string | undefined {
  return optionalStringAt(memberAt(place, "name"));
}

/** Adds components to `known`, nested ones included. Not recursive, because the document determines the nesting depth. */
function* addComponents(
  places: Iterator<JsonPlace>,
  productOf: (id: string) => VexProduct,
  known: Map<string, VexProduct>,
): Steps<void> {
  const open = [places];
  for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
    const { value: place, done } = innermost.next();
    yield;
    if (done) {
      open.pop();
      continue;
    }
    const [ref, purl] = ["bom-ref", "purl"].map((name) => optionalStringAt(memberAt(place, name)));
    if (ref !== undefined) known.set(ref, productOf(purl ?? ref));
    open.push(eachItemAt(memberAt(place, "components")));
  }
}

function* statementAt(
  place: JsonPlace,
  known: ReadonlyMap<string, VexProduct>,
  documentStatedAt: number | undefined,
): Steps<VexStatement | undefined> {
  const analysis = memberAt(place, "analysis");
  if (isAbsent(analysis)) return undefined; // a reported vulnerability, without a statement about it
  const text = (name: string) => optionalStringAt(memberAt(analysis, name));
  const [justification, detail] = [text("justification"), text("detail")];
  const statedAt =
    instantAt(memberAt(analysis, "lastUpdated")) ?? instantAt(memberAt(place, "updated")) ?? documentStatedAt;
  const vulnerability = [stringAt(memberAt(place, "id"))];
  for (const each of eachItemAt(memberAt(place, "references"))) {
    vulnerability.push(stringAt(memberAt(each, "id")));
    yield;
  }
  const status = statusAt(memberAt(analysis, "state"));
  const products: VexProduct[] = [];
  for (const each of eachItemAt(memberAt(place, "affects"))) {
    const product = productOf(stringAt(memberAt(each, "ref")), known);
    const versions = yield* versionsAt(each, status);
    products.push(versions === undefined ? product : withVersions(product, versions));
    yield;
  }
  return {
    vulnerability,
    status,
    products,
    place: placeOf(place),
    statedAt,
    justification,
    detail,
  };
}

/** The statuses of versions that agree with a statement. One without a status has that of the statement. */
const agreeing: Readonly<Record<VexStatus, string>> = {
  not_affected: "unaffected",
  fixed: "unaffected",
  affected: "affected",
  under_investigation: "unknown",
};

/** The versions of a product that a statement of this status is about; undefined if the document names none. */
function* versionsAt(place: JsonPlace, status: VexStatus): Steps<readonly string[] | undefined> {
  const versions: string[] = [];
  let isListed = false;
  for (const each of eachItemAt(memberAt(place, "versions"))) {
    isListed = true;
    const ofVersion = optionalStringAt(memberAt(each, "status")) ?? agreeing[status];
    const text = optionalStringAt(memberAt(each, "version")) ?? stringAt(memberAt(each, "range"));
    if (ofVersion === agreeing[status]) versions.push(text);
    yield;
  }
  return isListed ? versions : undefined;
}

function withVersions(product: VexProduct, versions: readonly string[]): VexProduct {
  const { image, component } = product;
  return component === undefined
    ? { image, versions: { image: versions } }
    : { component, versions: { component: versions } };
}

function productOf(ref: string, known: ReadonlyMap<string, VexProduct>): VexProduct {
  const linked = /^urn:cdx:[^#]*#(.*)$/s.exec(ref)?.[1];
  const own = linked === undefined ? ref : decodedOr(linked);
  return known.get(own) ?? (own.startsWith("pkg:") ? { component: own } : { image: own });
}

function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const statuses: ReadonlyMap<string, VexStatus> = new Map<string, VexStatus>([
  ["not_affected", "not_affected"],
  ["false_positive", "not_affected"],
  ["resolved", "fixed"],
  ["resolved_with_pedigree", "fixed"],
  ["exploitable", "affected"],
  ["in_triage", "under_investigation"],
]);

function statusAt(place: JsonPlace): VexStatus {
  const status = statuses.get(optionalStringAt(place) ?? "in_triage");
  if (status === undefined) throw unexpected(place, `one of ${[...statuses.keys()].join(", ")}`);
  return status;
}
