import type { Advisory } from "../../model/advisory.ts";
import { itemsAt, type JsonPlace, memberAt, stringAt } from "../../model/json-place.ts";
import type { DocumentReading } from "../shared/document-items.ts";
import { type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { type OsvSource, osvAdvisories } from "./record.ts";

/** Makes a reader of documents, each a record or a list of records in JSON or YAML. Reads each record once, since some archives have it in several files. */
export function readRecords(source: OsvSource): DocumentReading<Advisory>["read"] {
  const seen = new Set<string>();
  const select = (record: JsonPlace, readPart: ReadPart): readonly Advisory[] => {
    const id = stringAt(memberAt(record, "id"));
    if (seen.has(id)) return [];
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
