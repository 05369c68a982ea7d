import type { Advisory } from "../../model/advisory.ts";
import { itemsAt, type JsonPlace, memberAt, stringAt } from "../../model/json-place.ts";
import type { DocumentReading } from "../shared/document-items.ts";
import { leftOutRecord, partItems, type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { isJson, parseRecord } from "../shared/parse-record.ts";
import { hasAnyMember } from "../shared/recognized.ts";
import { type OsvSource, osvAdvisories } from "./record.ts";

/** Members of which every record has one, unlike indexes and settings in the same folder. */
const recordMembers = ["id", "affected", "schema_version"] as const;

/**
 * Makes a reader of documents, each a record or a list of records in JSON or YAML, or a record a line. Reads each record once, since some archives have
 * it in several files.
 */
export function readRecords(source: OsvSource): DocumentReading<Advisory>["read"] {
  const seen = new Set<string>();
  const select = (record: JsonPlace, readPart: ReadPart): readonly Advisory[] => {
    if (record.path === "" && !hasAnyMember(record, recordMembers)) return readPart.leaveOut("not-an-advisory");
    const id = stringAt(memberAt(record, "id"));
    if (seen.has(id)) return readPart.leaveOut("repeated");
    seen.add(id);
    return osvAdvisories(record, source, readPart);
  };
  const readDocument = (bytes: Uint8Array, location: string) => {
    const document = parseRecord(bytes, location);
    const records = Array.isArray(document.value) ? itemsAt(document) : [document];
    return records.flatMap((record) =>
      recordItems(`${location}${record.path}`, (readPart) => select(record, readPart)),
    );
  };
  return ({ bytes, location, name }) => {
    if (name !== location && isOtherDocument(name, bytes)) return [leftOutRecord("not-an-advisory", location)];
    if (!/\.(?:jsonl|ndjson)$/i.test(name)) return readDocument(bytes, location);
    return linesIn(bytes).flatMap(({ line, number }) => {
      const at = `${location}: line ${number}`;
      return partItems(
        at,
        () => [line],
        (each) => readDocument(each, at),
      );
    });
  };
}

/** Whether a document of a folder or archive, whose name has no extension, is text of another kind, such as a licence. */
function isOtherDocument(name: string, bytes: Uint8Array): boolean {
  return !hasExtension(name) && !isJson(bytes);
}

/** Whether the last part of a name has a dot. */
export function hasExtension(name: string): boolean {
  return name.lastIndexOf(".") > name.lastIndexOf("/");
}

/** The lines that are not blank, with their numbers from 1. */
function linesIn(bytes: Uint8Array): readonly { readonly line: Uint8Array; readonly number: number }[] {
  const lines: { readonly line: Uint8Array; readonly number: number }[] = [];
  for (let at = 0, number = 1; at < bytes.length; number++) {
    const found = bytes.indexOf(0x0a, at);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(at, end);
    if (line.some((byte) => byte > 0x20)) lines.push({ line, number });
    at = end + 1;
  }
  return lines;
}
