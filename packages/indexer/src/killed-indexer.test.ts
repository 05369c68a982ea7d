import { once } from "node:events";
import { openStore } from "@plimsoll/store";
import { engineTitle, forkProgram, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import {
  debianLayer,
  longLayer,
  MemoryLayers,
  manifestOf,
  serviceNow,
  serviceOptions,
} from "./fixtures/service-parts.ts";
import { assembleIndexService } from "./index-service.ts";
import { indexerMigrations } from "./store/migrations/all.ts";
import type { IndexerStore, IndexerTables } from "./store/tables.ts";

const short = await debianLayer({ zlib1g: "1.2" });
const long = await longLayer();
const minute = 60_000;

/** Indexes in a process of its own and kills it at the moment named. */
async function killIndexer(location: string, moment: string): Promise<void> {
  const child = forkProgram(new URL("./fixtures/killed-indexer.ts", import.meta.url), [location, moment]);
  const [message] = await once(child, "message");
  expect(message).toBe(moment);
  child.kill("SIGKILL");
  await once(child, "exit");
}

const rows = testEngines
  .filter(({ shared }) => shared)
  .flatMap((engine) =>
    ["reading", "storing", "writing"].flatMap((moment) =>
      (["resumed", "submitted again"] as const).map((how) => ({ engine, moment, how, title: engineTitle(engine) })),
    ),
  );

describe("an indexer that is killed", () => {
  it.for(rows)("while $moment is taken over when $how, on $title", async ({ engine, moment, how }, { skip }) => {
    skip(engine.skip !== undefined, engine.skip);
    await using database = await engine.create();
    await using store = await openStore<IndexerTables>(database.location, { migrations: [indexerMigrations] });
    await killIndexer(database.location, moment);
    const layer = moment === "writing" ? long : short;
    const [layers, manifest] = [new MemoryLayers([layer]), manifestOf([layer])];
    const time = { now: serviceOptions(store, layers.fetch).clock.now() };
    await using service = assembleIndexService({
      ...serviceOptions(store, layers.fetch),
      clock: { now: () => time.now },
    });

    expect(await countLeftovers(store)).toBe(moment === "writing" ? 1 : 0);
    expect(await service.findReport(manifest.digest)).toMatchObject({ state: "FetchLayers", success: false });
    time.now += minute; // SQLite frees the dead process's lock when the lease has run out, PostgreSQL soon
    if (how === "submitted again") await service.submit(manifest);
    else await expect.poll(() => service.resume()).toEqual([manifest.digest]);

    const packages = moment === "writing" ? 4_000 : 1;
    const report = await service.findReport(manifest.digest);
    expect([report?.state, Object.keys(report?.packages ?? {}).length]).toEqual(["IndexFinished", packages]);
    expect(await store.db.selectFrom("indexer_run").selectAll().execute()).toEqual([]);
    expect(await store.db.selectFrom("indexer_manifest_record").selectAll().execute()).toHaveLength(packages);
    expect(await countLeftovers(store)).toBe(0);
    expect(layers.fetched).toHaveLength(moment === "reading" ? 1 : 0);
  });

  it.for(rows.filter(({ moment, how }) => moment === "writing" && how === "resumed"))(
    "leaves nothing of an image that is deleted, on $title",
    async ({ engine, moment }, { skip }) => {
      skip(engine.skip !== undefined, engine.skip);
      await using database = await engine.create();
      await using store = await openStore<IndexerTables>(database.location, { migrations: [indexerMigrations] });
      await killIndexer(database.location, moment);
      const now = serviceNow + minute;
      await using service = assembleIndexService({
        ...serviceOptions(store, new MemoryLayers([]).fetch),
        clock: { now: () => now },
      });

      expect(await service.delete(manifestOf([long]).digest)).toBe(true);
      const leftAfterResume = async () => {
        await service.resume();
        return countLeftovers(store);
      };
      await expect.poll(leftAfterResume).toBe(0);

      for (const table of [
        "indexer_record",
        "indexer_record_key",
        "indexer_record_fact",
        "indexer_manifest_record",
      ] as const) {
        expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([]);
      }
    },
  );
});

async function countLeftovers({ db }: IndexerStore): Promise<number> {
  return (await db.selectFrom("indexer_leftover").selectAll().execute()).length;
}
