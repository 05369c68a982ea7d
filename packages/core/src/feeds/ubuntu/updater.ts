import { ScanError } from "../../errors.ts";
import type { Advisory } from "../../model/advisory.ts";
import { itemsAt, type JsonPlace, memberAt } from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { osvAdvisories } from "../osv/record.ts";
import { documentItems } from "../shared/document-items.ts";
import { feedFiles } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts, ReadablePart } from "../shared/feed-parts.ts";
import type { FeedText } from "../shared/feed-text.ts";
import { type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { readPage } from "../shared/read-page.ts";
import { recognized } from "../shared/recognized.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import { isOval, ubuntuOvalItems } from "./oval.ts";
import { ubuntuSource } from "./records.ts";
import { vexAdvisories } from "./vex.ts";

const archives = ["osv/osv-all.tar.xz", "vex/vex-all.tar.xz"] as const;

/**
 * Imports Ubuntu's security data: from the archives of OSV records and of VEX documents on its site, or from an archive, a folder or one
 * document of either, or of OVAL. Ubuntu's priorities are the severities.
 * @see https://documentation.ubuntu.com/security/security-updates/
 */
export const ubuntuUpdater = snapshotUpdater({
  name: "ubuntu",
  location: "https://security-metadata.canonical.com/",
  scope: { partBytes: { ubuntu: 0 }, sharedBytes: 300e6 },
  revision: 3,
  findParts,
  items: (parts) => recognized(itemsOf(parts), { feed: "ubuntu", expected: "records" }),
});

/** The location itself if it is a document, archive or folder. The site's own address gives a web page or nothing. */
async function findParts(parts: FeedParts): Promise<readonly FeedPart[]> {
  const whole = await parts.find();
  if (whole !== undefined && (await readPage(whole)) === undefined) return [whole];
  const found: FeedPart[] = [];
  for (const name of archives) {
    const part = await parts.find(name);
    if (part === undefined) throw new ScanError("not_found", `expected ${name}, found none at the location`);
    found.push(part);
  }
  return found;
}

async function* itemsOf(parts: readonly ReadablePart[]): AsyncGenerator<FeedItem<Advisory>> {
  const reading = { wants: (name: string) => name.endsWith(".json"), isRecord: () => true, read: readDocument };
  for (const file of parts.flatMap(feedFiles)) {
    yield* (await isOval(file)) ? ubuntuOvalItems(file) : documentItems(file, reading);
  }
}

/** Reads a document: a record, a list of records or a VEX document. */
function readDocument({ bytes, location }: FeedText): readonly FeedItem<Advisory>[] {
  const document = parseRecord(bytes, location);
  const records = Array.isArray(document.value) ? itemsAt(document) : [document];
  return records.flatMap((record) =>
    recordItems(`${location}${record.path}`, (readPart) => readRecord(record, readPart)),
  );
}

function readRecord(record: JsonPlace, readPart: ReadPart): readonly Advisory[] {
  const isVex = memberAt(record, "@context").value !== undefined;
  return isVex ? vexAdvisories(record, readPart) : osvAdvisories(record, ubuntuSource(record), readPart);
}
