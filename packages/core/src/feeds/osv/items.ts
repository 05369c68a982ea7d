import { ScanError } from "../../errors.ts";
import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, itemsAt, type JsonPlace, memberAt, stringAt } from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins.ts";
import { listZip, type ZipSource } from "../../zip/list-zip.ts";
import type { ZipEntry } from "../../zip/read-directory.ts";
import { openZip } from "../../zip/read-zip.ts";
import { type FeedFile, readFeedFile } from "../shared/feed-files.ts";
import { malformedFeed, type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { osvAdvisories, type WantsEcosystem } from "./record.ts";

/** What is taken of a part of the feed. */
export interface Selection {
  readonly wants: WantsEcosystem;
  /** Ids of records: some archives hold a record in several files. */
  readonly seen: Set<string>;
}

/**
 * The advisories of a document: a zip archive, a record or a list of records. Others, YAML among them, have none.
 * @throws ScanError `malformed_feed`
 */
export async function* osvItems(file: FeedFile, selection: Selection): AsyncGenerator<FeedItem<Advisory>> {
  if (file.name.endsWith(".zip")) yield* zipItems(await file.openAt(), selection);
  else if (file.name.endsWith(".json")) yield* recordsItems(await readFeedFile(file), file.location, selection);
  else if (file.name === "") yield* unnamedItems(file, selection);
}

async function* unnamedItems(file: FeedFile, selection: Selection): AsyncGenerator<FeedItem<Advisory>> {
  const source = await file.openAt();
  const [first] = await source.readAt(0, 1);
  if (first === 0x50) yield* zipItems(source, selection);
  else yield* recordsItems(await readFeedFile(file), file.location, selection);
}

/** A document is a record or a list of records. */
function recordsItems(bytes: Uint8Array, location: string, selection: Selection): readonly FeedItem<Advisory>[] {
  const document = documentPlace(parseJson(bytes, location, "malformed_feed"), location, "malformed_feed");
  const records = Array.isArray(document.value) ? itemsAt(document) : [document];
  return records.flatMap((record) =>
    recordItems(`${location}${record.path}`, (readPart) => select(record, selection, readPart)),
  );
}

function select(record: JsonPlace, { wants, seen }: Selection, readPart: ReadPart): readonly Advisory[] {
  const id = stringAt(memberAt(record, "id"));
  if (seen.has(id)) return [];
  seen.add(id);
  return osvAdvisories(record, wants, readPart);
}

/** Entry by entry, in the order they are stored in; one that cannot be read is a problem of its own. */
async function* zipItems(source: ZipSource, selection: Selection): AsyncGenerator<FeedItem<Advisory>> {
  const entries = await listRecords(source);
  const read = openZip(source);
  for (const entry of entries) {
    const at = `${source.location}: ${entry.name}`;
    try {
      yield* recordsItems(await read(entry), at, selection);
    } catch (error) {
      if (!(error instanceof ScanError) || !recordErrors.has(error.code)) throw error;
      yield { kind: "problem", at, message: error.message };
    }
  }
}

const recordErrors: ReadonlySet<string> = new Set(["malformed_archive", "malformed_feed"]);

async function listRecords(source: ZipSource): Promise<readonly ZipEntry[]> {
  try {
    const entries = await listZip(source);
    return entries.filter(({ name }) => name.endsWith(".json")).sort((a, b) => a.offset - b.offset);
  } catch (error) {
    if (!(error instanceof ScanError) || error.code !== "malformed_archive") throw error;
    throw malformedFeed(source.location, error.message, error);
  }
}
