import { engineTitle, openTestStore, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { listEcosystems } from "./ecosystems.ts";
import { indexerMigrations } from "./migrations/all.ts";
import type { IndexerTables } from "./tables.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "listEcosystems on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "lists those of stored reports and those that were remembered, once",
      async () => {
        await using database = await engine.create();
        await using store = await openTestStore<IndexerTables>(database.location, { migrations: [indexerMigrations] });
        expect(await listEcosystems(store)).toEqual([]);
        const keys = ["npm", "debian:12", "npm"].map((ecosystem, at) => ({
          ecosystem,
          package_name: `p${at}`,
          record_id: at,
        }));
        await store.db.insertInto("indexer_record_key").values(keys).execute();
        await store.db
          .insertInto("indexer_ecosystem")
          .values([{ ecosystem: "alpine:v3.20" }, { ecosystem: "npm" }])
          .execute();

        expect(await listEcosystems(store)).toEqual(["alpine:v3.20", "debian:12", "npm"]);
      },
    );
  },
);
