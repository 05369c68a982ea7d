import {
  databaseName,
  engineTitle,
  maintenanceOf,
  onPostgres,
  openFiles,
  type StoreContractTables,
  storeContractMigrations,
  storeTestEngines,
} from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openStore } from "./open.ts";
import type { Store } from "./store.ts";

const open = (location: string) => openStore<StoreContractTables>(location, { migrations: [storeContractMigrations] });

/** How a process used a store before it closed it. */
const asked: Readonly<Record<string, (store: Store<StoreContractTables>) => Promise<unknown>>> = {
  nothing: async () => {},
  "a prepared read": (store) => store.prepareRead("select 1")(),
  "a query": (store) => store.db.selectFrom("note").selectAll().execute(),
  "a relaxed query": (store) => store.relaxed.selectFrom("note").selectAll().execute(),
  "a lock": (store) => store.tryLock("one", { clock: { now: () => Date.now() }, leaseSeconds: 60 }),
};

const engines = storeTestEngines
  .filter(({ shared }) => shared)
  .map((engine) => ({ engine, title: engineTitle(engine), linux: process.platform === "linux" }));

describe.each(engines)("a store on $title", ({ engine, linux }) => {
  it.skipIf(engine.skip !== undefined || !linux).each(Object.entries(asked))(
    "used for %s leaves nothing open when it is closed, and stays closed",
    async (_, ask) => {
      await using database = await engine.create();
      await (await open(database.location)).close();

      const store = await open(database.location);
      await ask(store);
      await store.close();

      await expect.poll(() => connectionsOf(database.location)).toEqual([]);
      await expect(store.prepareRead("select 2")()).rejects.toThrow();
      await expect(store.db.selectFrom("note").selectAll().execute()).rejects.toThrow();
      await expect.poll(() => connectionsOf(database.location)).toEqual([]);
      await store.close();
    },
  );
});

/** The files of a database that this process has open, or the connections to it. */
async function connectionsOf(location: string): Promise<readonly unknown[]> {
  if (!location.startsWith("postgres")) return openFiles(location);
  const query = "select application_name from pg_stat_activity where datname = $1";
  return onPostgres(maintenanceOf(location), async (client) => {
    return (await client.query(query, [databaseName(location)])).rows;
  });
}
