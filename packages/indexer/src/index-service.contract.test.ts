import { engineTitle, indexServiceContract, openTestStore, testEngines } from "@plimsoll/testing";
import { describe, it } from "vitest";
import { debianLayer, MemoryLayers, manifestOf, serviceOptions } from "./fixtures/service-parts.ts";
import { assembleIndexService } from "./index-service.ts";
import { indexerMigrations } from "./store/migrations/all.ts";
import type { IndexerTables } from "./store/tables.ts";

const layer = await debianLayer({ zlib1g: "1.2" });
const missing = await debianLayer({ zlib1g: "missing" });
const images = { first: manifestOf([layer], "1"), second: manifestOf([layer], "2"), broken: manifestOf([missing]) };

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "assembleIndexService on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each([...indexServiceContract])("$name", async ({ run }) => {
      await using database = await engine.create();
      await using store = await openTestStore<IndexerTables>(database.location, { migrations: [indexerMigrations] });
      await using indexer = assembleIndexService(serviceOptions(store, new MemoryLayers([layer]).fetch));

      await run({ indexer, images });
    });
  },
);
