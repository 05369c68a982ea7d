import { isMap, isSeq, parseDocument } from "yaml";
import { parseJson } from "../../model/json.ts";
import { documentPlace, type JsonPlace } from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";
import { malformedFeed } from "./malformed-feed.ts";

/** Parses a document as JSON if its first byte that is not a blank is a bracket, else as YAML. @throws ScanError `malformed_feed` */
export function parseRecord(bytes: Uint8Array, location: string): JsonPlace {
  const parse = isJson(bytes) ? parseJson : parseYaml;
  return documentPlace(parse(bytes, location, "malformed_feed"), location, "malformed_feed");
}

/** Whether the first byte that is not a blank is a bracket, or there is none. */
export function isJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => !blanks.has(byte));
  return first === undefined || brackets.has(first);
}

const brackets: ReadonlySet<number> = new Set([0x7b, 0x5b]);

/** Tab, line feed, carriage return, space and the bytes of a byte order mark. */
const blanks: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);

/** The maximal size of one document; the largest advisories, with thousands of versions, have a tenth of it. */
const maxYamlBytes = 4 * 1024 ** 2;

/**
 * Parses a YAML document. Every scalar but null remains a text, so that `1.10` stays a version. Aliases are an error, because a small
 * document could expand to a very large one.
 * @throws ScanError `malformed_feed` for bytes that are not a YAML mapping or sequence in UTF-8
 * @see https://yaml.org/spec/1.2.2/#101-failsafe-schema
 */
export function parseYaml(bytes: Uint8Array, location: string): NonNullable<Json> {
  if (bytes.length > maxYamlBytes) {
    throw malformedFeed(location, `expected at most ${maxYamlBytes} bytes of YAML, found ${bytes.length}`);
  }
  const value = readValue(bytes, location);
  if (typeof value === "object" && value !== null) return value;
  throw malformedFeed(location, "expected a YAML mapping or sequence, found another document");
}

function readValue(bytes: Uint8Array, location: string): Json {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const document = parseDocument(text, {
      schema: "failsafe",
      customTags: ["null"],
      logLevel: "error",
      prettyErrors: false,
    });
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const { contents } = document;
    return isMap(contents) || isSeq(contents) ? (document.toJS({ maxAliasCount: 0 }) as Json) : "";
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw malformedFeed(location, `expected YAML: ${reason.slice(0, 200)}`, error);
  }
}
