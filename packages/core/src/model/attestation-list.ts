/**
 * Several documents in one file.
 *
 * ```
 * file  = document | list
 * list  = ( document LF )*                                   one a line, as `cosign download attestation` prints attestations
 *       | [ document, … ] | { attestations: [ { bundle: document }, … ] }      the second as GitHub's API answers
 *       | [ { attestation: { bundle: document }, verificationResult }, … ]     as `gh attestation verify --format json` prints
 * ```
 * @see https://jsonlines.org/
 * @see https://docs.github.com/en/rest/repos/attestations
 */
import { ScanError } from "../errors.ts";
import type { PayloadParsing } from "./attestation.ts";
import { isObject, memberOf } from "./json-object.ts";
import type { Json } from "./json-value.ts";
import type { Steps } from "./slices.ts";

/** Lists with more documents are not about one image. */
const maxDocuments = 1000;
const [lineFeed, openBrace, closeBrace] = [0x0a, 0x7b, 0x7d];

/** A document of a file. */
export interface ListedDocument {
  /** The name of the file, with the place in it if it has several documents: `attestations.jsonl: line 2`. */
  readonly name: string;
  readonly document: NonNullable<Json>;
}

/** The documents of a file; one if it is no list. @throws ScanError with the code of `parsing` if one of them cannot be parsed */
export function* listedDocumentSteps(bytes: Uint8Array, parsing: PayloadParsing): Steps<readonly ListedDocument[]> {
  const { name, code, parse } = parsing;
  const lines = documentLines(bytes);
  if (lines === undefined) return itemsOf(yield* parse(bytes, name, code), parsing);
  const documents: ListedDocument[] = [];
  for (const [index, line] of lines.entries()) {
    const place = `${name}: line ${index + 1}`;
    documents.push({ name: place, document: yield* parse(line, place, code) });
  }
  return documents;
}

function itemsOf(document: NonNullable<Json>, { name, code }: PayloadParsing): readonly ListedDocument[] {
  const items = listIn(document);
  if (items === undefined) return [{ name, document }];
  if (items.length === 0 || items.length > maxDocuments)
    throw new ScanError(code, `${name}: expected 1 to ${maxDocuments} documents in its list, found ${items.length}`);
  return items.map((item, index) => {
    const place = `${name}: [${index}]`;
    if (item === null) throw new ScanError(code, `${place}: expected an object`);
    return { name: place, document: item };
  });
}

/** A document with signatures is one document, whatever else it has: a list in it is not signed. */
function listIn(document: Json): readonly Json[] | undefined {
  if (Array.isArray(document)) return (document as readonly Json[]).map(verified);
  if (!isObject(document) || Object.keys(document).some((key) => key !== "attestations")) return undefined;
  const { attestations } = document;
  if (!Array.isArray(attestations)) return undefined;
  return (attestations as readonly Json[]).map((each) => (isObject(each) ? (each.bundle ?? each) : each));
}

/** The attestation that was verified. Documents with signatures of their own remain as they are. */
function verified(item: Json): Json {
  const bundle = memberOf(memberOf(item, "attestation"), "bundle");
  return isObject(bundle) && memberOf(item, "verificationResult") !== undefined ? bundle : item;
}

/** The lines of a text with one JSON object on each; undefined for a text that is one document, or that has more lines than are read. */
function documentLines(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const end = bytes.indexOf(lineFeed);
  if (end < 0 || !isObjectLine(bytes.subarray(0, end))) return undefined;
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length && lines.length <= maxDocuments; ) {
    const next = bytes.indexOf(lineFeed, at);
    const line = trimmed(bytes.subarray(at, next < 0 ? bytes.length : next));
    if (line.length > 0) lines.push(line);
    at = next < 0 ? bytes.length : next + 1;
  }
  return lines.length > 1 && lines.length <= maxDocuments ? lines : undefined;
}

function isObjectLine(bytes: Uint8Array): boolean {
  const line = trimmed(bytes);
  return line.length > 2 && line[0] === openBrace && line.at(-1) === closeBrace;
}

/** A line without the blanks around it. */
function trimmed(line: Uint8Array): Uint8Array {
  const start = line.findIndex((byte) => byte > 0x20);
  return start < 0 ? line.subarray(0, 0) : line.subarray(start, line.findLastIndex((byte) => byte > 0x20) + 1);
}
