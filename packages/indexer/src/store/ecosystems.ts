import type { Engine, IndexReport } from "@plimsoll/core";
import { type IndexRecord, indexRecords } from "@plimsoll/core/match";
import { ifWritable } from "@plimsoll/store";
import { sql } from "kysely";
import { keysOf } from "../values/indexed-records.ts";
import type { IndexerStore } from "./tables.ts";

/**
 * The ecosystems under which advisories for indexed packages are found: `debian:12`, `npm`. They include those of images whose reports
 * are not stored, which {@link putEcosystems} has stored.
 * @example
 * declare const store: IndexerStore;
 * await listEcosystems(store); // "debian:12", "npm" and others
 */
export async function listEcosystems({ db }: IndexerStore): Promise<readonly string[]> {
  const seen = await db.selectFrom("indexer_ecosystem").select("ecosystem").execute();
  // One look-up in the index for each ecosystem: the table has a row for each package of each image.
  const { rows: stored } = await sql<{ ecosystem: string }>`
    with recursive found (ecosystem) as (
      select min(ecosystem) from indexer_record_key
      union all
      select (select min(k.ecosystem) from indexer_record_key k where k.ecosystem > found.ecosystem)
      from found where found.ecosystem is not null)
    select ecosystem from found where ecosystem is not null`.execute(db);
  return [...new Set([...seen, ...stored].map(({ ecosystem }) => ecosystem))].sort();
}

/**
 * Stores the ecosystems of a report's packages. It writes nothing if all are known, or if the database cannot be written now.
 * @example
 * declare const store: IndexerStore;
 * declare const report: IndexReport;
 * await putEcosystems(store, createEngine({ ecosystems: allEcosystems }), report);
 */
export async function putEcosystems(
  store: IndexerStore,
  { matchers }: Pick<Engine, "matchers">,
  report: IndexReport,
): Promise<void> {
  const found = new Set<string>();
  for (const record of indexRecords(report)) addEcosystems(found, matchers, record);
  const known = new Set(await listEcosystems(store));
  const rows = [...found]
    .filter((ecosystem) => !known.has(ecosystem) && ecosystem.length <= maxEcosystemLength)
    .slice(0, Math.max(0, maxEcosystems - known.size))
    .map((ecosystem) => ({ ecosystem }));
  if (rows.length === 0) return;
  const insert = store.relaxed.insertInto("indexer_ecosystem").values(rows);
  await ifWritable(() => insert.onConflict((conflict) => conflict.doNothing()).execute());
}

/** Adds the ecosystems that matchers look for advisories of a package in. */
function addEcosystems(found: Set<string>, matchers: Engine["matchers"], record: IndexRecord): void {
  for (const matcher of matchers) for (const { ecosystem } of keysOf(matcher, record)) found.add(ecosystem);
}

/** The largest number of ecosystems. There are a few hundred, but an image may state any distribution. */
const maxEcosystems = 2_000;
const maxEcosystemLength = 200;
