import { ScanError } from "../errors.ts";
import { type ParseSteps, statementSteps } from "../model/attestation.ts";
import { parseJson, parseJsonSteps } from "../model/json.ts";
import { isObject, type JsonObject, memberOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { allAtOnce, type Steps } from "../model/slices.ts";
import { attestationLines } from "./attestation-lines.ts";
import { cycloneDxXmlSteps } from "./cyclonedx-xml.ts";
import { isTagValue, tagValueSteps } from "./spdx-tag-value.ts";

const code = "malformed_sbom";

/** The types of predicates that are bills of materials. */
export const sbomPredicate = /cyclonedx|spdx|syft/i;

/** The first bytes of a document, by which its form is known. */
const beginningBytes = 4096;

/** Parses a bill of materials in any text form without a pause, out of the attestation that it may be in. @throws ScanError `malformed_sbom` */
export function parseSbom(bytes: Uint8Array, name: string): NonNullable<Json> {
  const lines = attestationLines(bytes);
  return lines === undefined ? parseOne(bytes, name) : parseLines(lines, name);
}

function parseOne(bytes: Uint8Array, name: string): NonNullable<Json> {
  return allAtOnce(unwrapped(formSteps(bytes, name, jsonAtOnce), name));
}

/** The bill of materials among attestations. Several may state the same packages in other forms, so that the user has to choose. */
function parseLines(lines: readonly Uint8Array[], name: string): NonNullable<Json> {
  const found = lines.flatMap((line, index) => {
    const place = `${name}: line ${index + 1}`;
    const document = parseJson(line, place, code);
    const statement = allAtOnce(statementSteps(document, { name: place, code, parse: jsonAtOnce }));
    return statement === undefined || sbomPredicate.test(statement.predicateType) ? [{ line, place }] : [];
  });
  const [only] = found;
  if (only !== undefined && found.length === 1) return parseOne(only.line, only.place);
  const hint = found.length > 1 ? "; give the line of one of them" : "";
  throw new ScanError(
    code,
    `${name}: expected one bill of materials in ${lines.length} lines, found ${found.length}${hint}`,
  );
}

/** Parses a bill of materials in any text form in steps between which other work can run. @throws ScanError `malformed_sbom` */
export function sbomTextSteps(bytes: Uint8Array, name: string): Steps<NonNullable<Json>> {
  return formSteps(bytes, name, parseJsonSteps);
}

// biome-ignore lint/correctness/useYield: JSON.parse has no steps
const jsonAtOnce: ParseSteps = function* (bytes, name, errorCode) {
  return parseJson(bytes, name, errorCode);
};

function formSteps(bytes: Uint8Array, name: string, json: ParseSteps): Steps<NonNullable<Json>> {
  const beginning = new TextDecoder().decode(bytes.subarray(0, beginningBytes)).trimStart();
  if (beginning.startsWith("<")) return cycloneDxXmlSteps(bytes, name);
  return isTagValue(beginning) ? tagValueSteps(bytes, name) : json(bytes, name, code);
}

/** The document of an attestation; any other document itself. */
function* unwrapped(document: Steps<NonNullable<Json>>, name: string): Steps<NonNullable<Json>> {
  const outer = yield* document;
  const statement = isObject(outer) ? yield* statementSteps(outer, { name, code, parse: jsonAtOnce }) : undefined;
  if (statement === undefined) return outer;
  const { predicate, predicateType } = statement;
  if (typeof predicate === "string") return yield* formSteps(new TextEncoder().encode(predicate), name, jsonAtOnce);
  if (isObject(predicate) && sbomPredicate.test(predicateType)) return predicate;
  const found = predicateType.slice(0, 200);
  throw new ScanError(
    code,
    `${name}: expected a bill of materials in an attestation, found an attestation of ${found}`,
  );
}

/** The document that GitHub's API wraps: `{ "sbom": … }`; any other document itself. */
export function withoutWrapping(document: JsonObject): JsonObject {
  const inner = memberOf(document, "sbom");
  return isObject(inner) ? inner : document;
}
