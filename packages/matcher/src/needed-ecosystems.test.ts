import { defaultEcosystems } from "@plimsoll/core/internal";
import { engineTitle, openTestStore, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { neededEcosystems } from "./needed-ecosystems.ts";
import { matcherMigrations } from "./store/migrations/all.ts";
import type { MatcherTables } from "./store/tables.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "neededEcosystems on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("is what images have and what is loaded, without releases", async () => {
      await using database = await engine.create();
      await using store = await openTestStore<MatcherTables>(database.location, { migrations: [matcherMigrations] });
      expect(await neededEcosystems(store, [])).toBe(defaultEcosystems);
      const rows = [
        { ecosystem: "alpine:v3.20", valid_to: null },
        { ecosystem: "sles:15.6", valid_to: 2 },
      ];
      for (const row of rows)
        await store.db
          .insertInto("updater_ecosystem")
          .values({ updater: "sample", valid_from: 1, ...row })
          .execute();

      const needed = await neededEcosystems(store, ["debian:12", "debian:13", "npm"]);

      expect([...needed].sort()).toEqual(["alpine", "debian", "npm"]);
    });
  },
);
