/**
 * in-toto attestations.
 *
 * ```
 * bundle    = { dsseEnvelope: envelope, … }                  of Sigstore
 * envelope  = { payloadType, payload, signatures }           the payload is a statement in base64
 * statement = { _type, subject, predicateType, predicate }
 * ```
 * @see https://github.com/secure-systems-lab/dsse/blob/master/envelope.md
 * @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 */
import { decodeBase64 } from "../bytes/base64.ts";
import { ScanError, type ScanErrorCode } from "../errors.ts";
import { isObject, type JsonObject, memberOf } from "./json-object.ts";
import type { Json } from "./json-value.ts";
import type { Steps } from "./slices.ts";

/** Parses a document in steps. @throws ScanError with the code */
export type ParseSteps = (bytes: Uint8Array, name: string, code: ScanErrorCode) => Steps<NonNullable<Json>>;

/** A statement about an image or a file. */
export interface Statement {
  /** Which kind of document the predicate is. */
  readonly predicateType: string;
  readonly predicate: Json | undefined;
  /** The digests of what it is about: `sha256:…`. */
  readonly subjects: readonly string[];
}

/** How the payload of an envelope is parsed. */
export interface PayloadParsing {
  /** The name of the document in messages. */
  readonly name: string;
  readonly code: ScanErrorCode;
  readonly parse: ParseSteps;
}

/**
 * The statement of an attestation, which may be in an envelope or a bundle; undefined for any other object.
 * @throws ScanError the given code for a document or payload that is not an object, and a payload that is not base64 or cannot be parsed
 */
export function* statementSteps(document: Json, parsing: PayloadParsing): Steps<Statement | undefined> {
  const { name, code, parse } = parsing;
  // the payload that signatures of the document are about comes first: a bundle beside it is not signed by them
  const payload = memberOf(document, "payload") ?? memberOf(memberOf(document, "dsseEnvelope"), "payload");
  const statement =
    typeof payload === "string" ? yield* parse(yield* payloadSteps(payload, parsing), name, code) : document;
  if (!isObject(statement)) throw new ScanError(code, `${name}: expected an object`);
  const { predicateType, predicate } = statement;
  if (typeof predicateType !== "string") return undefined;
  const subjects = subjectsOf(statement.subject);
  return { predicateType, predicate: isObject(predicate) ? withoutWrapping(predicate) : predicate, subjects };
}

function subjectsOf(subject: Json | undefined): readonly string[] {
  if (!Array.isArray(subject)) return [];
  return (subject as readonly Json[]).flatMap((each) => {
    const digest = memberOf(each, "digest");
    return isObject(digest) ? Object.entries(digest).map(([algorithm, hex]) => `${algorithm}:${String(hex)}`) : [];
  });
}

/** cosign wraps documents: `{ Data, Timestamp }`. */
function withoutWrapping(predicate: JsonObject): Json {
  const isWrapped = Object.keys(predicate).every((key) => key === "Data" || key === "Timestamp");
  return isWrapped ? (predicate.Data ?? predicate) : predicate;
}

/** How many characters of base64 are decoded in one step. */
const decodedLength = 256 * 1024;

function* payloadSteps(payload: string, { name, code }: PayloadParsing): Steps<Uint8Array> {
  const bytes = new Uint8Array(Math.ceil((payload.length * 3) / 4));
  let [length, left] = [0, ""];
  for (let at = 0; at < payload.length; at += decodedLength) {
    const text = left + toStandard(payload.slice(at, at + decodedLength)).replaceAll(/\s/g, "");
    const isLast = at + decodedLength >= payload.length;
    const end = isLast ? text.length : text.length - (text.length % 4); // four characters are three bytes
    const part = decodeBase64(text.slice(0, end));
    if (part === undefined) throw new ScanError(code, `${name}: expected a payload in base64`);
    bytes.set(part, length);
    [length, left] = [length + part.length, text.slice(end)];
    yield;
  }
  return bytes.subarray(0, length);
}

/** DSSE allows both alphabets of base64. */
function toStandard(text: string): string {
  return text.replaceAll("-", "+").replaceAll("_", "/");
}
