import { utf8Of } from "../bytes/utf8-of.ts";
import { ScanError } from "../errors.ts";
import { type ParseSteps, statementSteps } from "../model/attestation.ts";
import { type ListedDocument, listedDocumentSteps } from "../model/attestation-list.ts";
import { parseJson, parseJsonSteps } from "../model/json.ts";
import { isObject, type JsonObject, memberOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { allAtOnce, type Steps } from "../model/slices.ts";
import { cycloneDxXmlSteps } from "./cyclonedx-xml.ts";
import { isTagValue, tagValueSteps } from "./spdx-tag-value.ts";

const code = "malformed_sbom";

/** The types of predicates that are bills of materials. */
export const sbomPredicate = /cyclonedx|spdx|syft/i;

/** The first bytes of a document, by which its form is known. */
const beginningBytes = 4096;

/** A bill of materials of a file. */
export interface ParsedSbom extends ListedDocument {
  /** The digests of what an attestation of it is about; empty without an attestation. */
  readonly subjects: readonly string[];
}

/**
 * Parses the bills of materials of a file in any text form without a pause, out of the attestations that they may be in. Of several attestations,
 * those of other kinds are left out.
 * @throws ScanError `malformed_sbom`, also if there is none
 */
export function parseSboms(bytes: Uint8Array, name: string): readonly ParsedSbom[] {
  const listed = allAtOnce(listedDocumentSteps(utf8Of(bytes, { name, code }), { name, code, parse: formAtOnce }));
  const found = listed.flatMap((each) => unwrapped(each, listed.length));
  if (found.length > 0) return found;
  throw new ScanError(code, `${name}: expected a bill of materials in ${listed.length} documents, found none`);
}

/** Parses a bill of materials in any text form in steps between which other work can run. @throws ScanError `malformed_sbom` */
export function sbomTextSteps(bytes: Uint8Array, name: string): Steps<NonNullable<Json>> {
  return formSteps(utf8Of(bytes, { name, code }), name, parseJsonSteps);
}

const isYaml = /^spdxVersion:/m;

// biome-ignore lint/correctness/useYield: JSON.parse has no steps
const jsonAtOnce: ParseSteps = function* (bytes, name, errorCode) {
  return parseJson(bytes, name, errorCode);
};

const formAtOnce: ParseSteps = (bytes, name) => formSteps(bytes, name, jsonAtOnce);

function formSteps(bytes: Uint8Array, name: string, json: ParseSteps): Steps<NonNullable<Json>> {
  const beginning = new TextDecoder().decode(bytes.subarray(0, beginningBytes)).trimStart();
  if (beginning.startsWith("<")) return cycloneDxXmlSteps(bytes, name);
  if (!beginning.startsWith("{") && isYaml.test(beginning))
    throw new ScanError(code, `${name}: SPDX in YAML is not read: convert it to JSON`);
  return isTagValue(beginning) ? tagValueSteps(bytes, name) : json(bytes, name, code);
}

/** The document of an attestation; any other document itself. Nothing for an attestation of another kind among several documents. */
function unwrapped({ name, document }: ListedDocument, count: number): readonly ParsedSbom[] {
  const statement = isObject(document)
    ? allAtOnce(statementSteps(document, { name, code, parse: jsonAtOnce }))
    : undefined;
  if (statement === undefined) return [{ name, document, subjects: [] }];
  const { predicate, predicateType, subjects } = statement;
  const isSbom = sbomPredicate.test(predicateType);
  if (!isSbom && count > 1) return [];
  if (typeof predicate === "string") {
    const text = new TextEncoder().encode(predicate);
    return [{ name, document: allAtOnce(formAtOnce(text, name, code)), subjects }];
  }
  if (isSbom && isObject(predicate)) return [{ name, document: predicate, subjects }];
  const found = predicateType.slice(0, 200);
  throw new ScanError(
    code,
    `${name}: expected a bill of materials in an attestation, found an attestation of ${found}`,
  );
}

/** The document that GitHub's API wraps, `{ "sbom": … }`, and docker buildx, `{ "SPDX": … }`; any other document itself. */
export function withoutWrapping(document: JsonObject): JsonObject {
  return [memberOf(document, "sbom"), memberOf(document, "SPDX")].find(isObject) ?? document;
}
