import { openStore } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { engineTitle, testEngines } from "./contracts/databases.ts";
import { type StoreContractTables, storeContract, storeContractMigrations } from "./contracts/store-contract.ts";
import { openTestStore } from "./migrated-store.ts";

const options = { migrations: [storeContractMigrations] };
const engines = testEngines.map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("openTestStore on $title", ({ engine }) => {
  const test = it.skipIf(engine.skip !== undefined);

  test.each(storeContract)("$name", async ({ run }) => {
    await using database = await engine.create();
    await using store = await openTestStore<StoreContractTables>(database.location, options);

    await run(store);
  });

  test("opens a separate database for each store", async () => {
    await using one = await engine.create();
    await using other = await engine.create();
    await using store = await openTestStore<StoreContractTables>(one.location, options);
    await using another = await openTestStore<StoreContractTables>(other.location, options);

    await store.db.insertInto("note").values({ id: "a", text: "first", seen_at: 1 }).execute();

    expect(await another.db.selectFrom("note").selectAll().execute()).toEqual([]);
  });

  if (!engine.shared) return; // a database in memory is always new
  test("leaves an existing database unchanged", async () => {
    await using database = await engine.create();
    const before = await openStore<StoreContractTables>(database.location, options);
    await before.db.insertInto("note").values({ id: "a", text: "first", seen_at: 1 }).execute();
    await before.close();

    await using store = await openTestStore<StoreContractTables>(database.location, options);

    expect(await store.db.selectFrom("note").select("id").execute()).toEqual([{ id: "a" }]);
  });
});
