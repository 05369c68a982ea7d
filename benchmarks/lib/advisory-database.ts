/** The synthetic advisories in Plimsoll's database, and in a minimal table that SQLite can join. */
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { type MatcherTables, matcherMigrations, updateFeeds } from "@plimsoll/matcher";
import { openStore } from "@plimsoll/store";
import { syntheticAdvisories } from "./synthetic-advisories.ts";

/** Loads advisories as a feed update does. */
export async function loadAdvisories(path: string, items = syntheticAdvisories()): Promise<void> {
  await using store = await openStore<MatcherTables>(path, { migrations: [matcherMigrations] });
  const [result] = await updateFeeds(
    {
      updaters: [
        {
          name: "benchmark",
          location: "memory:",
          update: async () => ({ kind: "snapshot", fingerprint: "1", items }),
        },
      ],
      enrichers: [],
    },
    {
      store,

      feeds: () => ({ open: () => Promise.reject(new Error("no feeds here")), [Symbol.asyncDispose]: async () => {} }),
      clock: { now: () => 0 },
    },
  );
  if (result?.kind !== "updated") throw new Error(`cannot build the database: ${JSON.stringify(result)}`);
}

/** Copies what the reference reads: only the needed columns, clustered by the key of the look-up. */
export function copyRanges(database: string, path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`attach '${database}' as ours;
    create table range (ecosystem text, package_name text, advisory_id text, name text, fixed text,
      primary key (ecosystem, package_name, advisory_id)) without rowid;
    insert into range select ecosystem, package_name, advisory_id, name, fixed from ours.advisory order by 1, 2, 3`);
  db.close();
}

/** Prepares the minimal query for an image: one join with the keys, given as JSON, with rows as arrays. */
export function prepareRawJoin(db: DatabaseSync): (keys: string) => readonly (readonly SQLOutputValue[])[] {
  db.exec("pragma mmap_size = 1073741824");
  const statement = db.prepare(`select r.advisory_id, r.name, r.fixed from json_each(?) k
    cross join range r on r.ecosystem = k.value ->> 0 and r.package_name = k.value ->> 1`);
  statement.setReturnArrays(true);
  return (keys) => statement.all(keys) as unknown as readonly (readonly SQLOutputValue[])[];
}
