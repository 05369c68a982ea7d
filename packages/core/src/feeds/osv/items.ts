import type { Advisory } from "../../model/advisory.ts";
import { itemsAt, type JsonPlace, memberAt, stringAt } from "../../model/json-place.ts";
import type { DocumentReading } from "../shared/document-items.ts";
import { hasAnyMember } from "../shared/has-any-member.ts";
import { type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { type OsvSource, osvAdvisories } from "./record.ts";

/** Members of which every record has one, unlike indexes and settings in the same folder. */
const recordMembers = ["id", "affected", "schema_version"] as const;

/** Makes a reader of documents, each a record or a list of records in JSON or YAML. Reads each record once, since some archives have it in several files. */
export function readRecords(source: OsvSource): DocumentReading<Advisory>["read"] {
  const seen = new Set<string>();
  const select = (record: JsonPlace, readPart: ReadPart): readonly Advisory[] => {
    if (record.path === "" && !hasAnyMember(record, recordMembers)) return readPart.leaveOut("not-an-advisory");
    const id = stringAt(memberAt(record, "id"));
    if (seen.has(id)) return readPart.leaveOut("repeated");
    seen.add(id);
    return osvAdvisories(record, source, readPart);
  };
  return ({ bytes, location }) => {
    const document = parseRecord(bytes, location);
    const records = Array.isArray(document.value) ? itemsAt(document) : [document];
    return records.flatMap((record) =>
      recordItems(`${location}${record.path}`, (readPart) => select(record, readPart)),
    );
  };
}
