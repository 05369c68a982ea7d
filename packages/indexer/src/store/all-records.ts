import type { IndexReport } from "@plimsoll/core";
import { decodeRecord } from "../values/index-record.ts";
import { parseReport } from "../values/parse-report.ts";
import { findPieces, type LongText } from "./long-text.ts";
import type { StoredRecord } from "./reverse-index.ts";
import type { IndexerStore } from "./tables.ts";

/** The number of rows of one read; a record has some hundred bytes. */
const recordsPerRead = 1_000;

/**
 * All records in pages: each package version with its distribution and repositories, once for all images that have it.
 * @example
 * declare const store: IndexerStore;
 * for await (const records of listRecords(store)) for (const { record } of records) console.log(record.package.name);
 */
export async function* listRecords({ db }: IndexerStore): AsyncGenerator<readonly StoredRecord[]> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom("indexer_record")
      .select(["id", "record"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(recordsPerRead)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Number(last.id);
    yield rows.map(({ id, record }) => ({ id, record: decodeRecord(record) }));
  }
}

/** The number of reports of one read; reports without records are small. */
const reportsPerRead = 100;

async function parseStored(db: IndexerStore["db"], text: LongText): Promise<IndexReport> {
  return parseReport((await findPieces(db, text)) ?? [text.text]);
}

/** The reports of the service's images without records, which have at most distributions and repositories. */
export async function* listBareReports({ db }: IndexerStore): AsyncGenerator<readonly IndexReport[]> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom("indexer_manifest")
      .select(["id", "report as text", "more"])
      .where("id", ">", after)
      .where("scanned", "=", 0)
      .where(({ not, exists, selectFrom, ref }) =>
        not(
          exists(
            selectFrom("indexer_manifest_record")
              .select("record_id")
              .where("manifest_id", "=", ref("indexer_manifest.id")),
          ),
        ),
      )
      .orderBy("id")
      .limit(reportsPerRead)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Number(last.id);
    yield await Promise.all(rows.map((row) => parseStored(db, row)));
  }
}
