import { parseJson } from "../../model/json.ts";
import { documentPlace, type JsonPlace } from "../../model/json-place.ts";
import { parseYaml } from "./parse-yaml.ts";

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
