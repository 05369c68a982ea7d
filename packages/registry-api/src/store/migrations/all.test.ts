import { openStore } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { RegistryTables } from "../tables/all.ts";
import { registryMigrations } from "./all.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "registryMigrations on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("make tables that can be read", async () => {
      await using database = await engine.create();
      await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });

      const rows = await store.db.selectFrom("quota").selectAll().execute();

      expect(rows).toEqual([]);
    });
  },
);
