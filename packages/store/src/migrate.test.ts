import { engineTitle, storeTestEngines, type TestDatabase } from "@plimsoll/testing";
import { type Kysely, sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Migration, MigrationSet } from "./migrate.ts";
import { openStore } from "./open.ts";
import { schemaMigration } from "./schema-migration.ts";

interface Tables {
  readonly ship: { readonly name: string };
}

const createShips = schemaMigration("0001-schema", ({ schema, text, notNull }) => [
  schema.createTable("ship").addColumn("name", text, notNull),
]);
const nothing = (name: string): Migration => ({ name, up: async () => {} });

const names = ["0001-ships", "0002-names", "0003-ports"];
const current: MigrationSet = { service: "ships", migrations: [createShips], replaces: [{ names }] };
const withLater: MigrationSet = { ...current, migrations: [createShips, nothing("0002-later")] };
/** The set of a build from before: the first of its steps makes what all made. */
const earlier: MigrationSet = {
  service: "ships",
  migrations: names.map((name, index) => (index === 0 ? { ...createShips, name } : nothing(name))),
};

const addPorts = schemaMigration("0002-ports", ({ schema, text }) => [
  schema.alterTable("ship").addColumn("port", text),
]);
/** The set of a build whose first migration makes a column that a later step added, or none added, before. */
const joined: MigrationSet = {
  service: "ships",
  migrations: [
    schemaMigration("0001-schema-2", ({ schema, text, notNull }) => [
      schema.createTable("ship").addColumn("name", text, notNull).addColumn("port", text),
    ]),
  ],
  replaces: [
    { names, adds: [addPorts] },
    { names: ["0001-schema"], adds: [addPorts] },
  ],
};

const open = ({ location }: TestDatabase, set: MigrationSet) => openStore<Tables>(location, { migrations: [set] });
const openToRead = ({ location }: TestDatabase, set: MigrationSet) =>
  openStore<Tables>(location, { migrations: [set], readOnly: true });

/** Makes a database of an earlier build with a row. */
async function makeEarlier(database: TestDatabase, steps = names.length): Promise<void> {
  await using store = await open(database, { ...earlier, migrations: earlier.migrations.slice(0, steps) });
  await store.db.insertInto("ship").values({ name: "Argo" }).execute();
}

async function recordedIn(database: TestDatabase, set: MigrationSet): Promise<readonly string[]> {
  await using store = await openToRead(database, set);
  expect(await store.db.selectFrom("ship").selectAll().execute()).toEqual([{ name: "Argo" }]);
  const { rows } = await sql<{ name: string }>`select name from ships_migrations order by name`.execute(store.db);
  return rows.map(({ name }) => name);
}

describe.each(
  storeTestEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })),
)("migrate, on $title, a database with the steps that the first migration replaces", ({ engine }) => {
  const test = it.skipIf(engine.skip !== undefined);

  test.each([
    ["records the first migration instead", current, ["0001-schema"]],
    ["and runs the migrations after it", withLater, ["0001-schema", "0002-later"]],
  ])("%s", async (_, set, expected) => {
    await using database = await engine.create();
    await makeEarlier(database);

    await (await open(database, set)).close();

    expect(await recordedIn(database, set)).toEqual(expected);
  });

  test("changes its rows once, or not at all if that fails", async () => {
    await using database = await engine.create();
    await makeEarlier(database);
    const rename = async (db: Kysely<unknown>) => void (await sql`update ship set name = name || '!'`.execute(db));
    const fail = async (db: Kysely<unknown>) => rename(db).then(() => Promise.reject(new Error("no ink")));

    await expect(open(database, { ...current, replaces: [{ names, changeRows: fail }] })).rejects.toMatchObject({
      code: "migration_failed",
      message: expect.stringContaining("no ink"),
    });
    const stores = [1, 2].map(() => open(database, { ...current, replaces: [{ names, changeRows: rename }] }));

    for (const store of await Promise.all(stores)) {
      expect(await store.db.selectFrom("ship").selectAll().execute()).toEqual([{ name: "Argo!" }]);
      await store.close();
    }
  });

  test.each([
    ["the first of them only", { ...current, replaces: undefined }, "older_schema"],
    ["the first of them and the addition", { ...withLater, migrations: [createShips, addPorts] }, undefined],
    ["the steps before both", earlier, "older_schema"],
  ])("adds what is missing if it has %s", async (_, before, refused) => {
    await using database = await engine.create();
    const written = await open(database, before);
    await written.db.insertInto("ship").values({ name: "Argo" }).execute();
    await written.close();
    const codeOf = (error: { readonly code: string }) => error.code;
    const toRead = () => openToRead(database, joined).then((store) => store.close());

    expect(await toRead().catch(codeOf)).toBe(refused);
    const stores = await Promise.all([1, 2].map(() => open(database, joined)));
    for (const store of stores) await store.close();

    await using store = await openToRead(database, joined);
    expect(await sql`select name, port from ship`.execute(store.db)).toMatchObject({
      rows: [{ name: "Argo", port: null }],
    });
    const { rows } = await sql`select name from ships_migrations`.execute(store.db);
    expect(rows).toEqual([{ name: "0001-schema-2" }]);
  });

  test("changes nothing that is opened only for reading, and does not open it if it needs more migrations", async () => {
    await using database = await engine.create();
    await makeEarlier(database);

    expect(await recordedIn(database, current)).toEqual(names);
    await expect(openToRead(database, withLater)).rejects.toMatchObject({ code: "older_schema" });
    expect(await recordedIn(database, current)).toEqual(names);
  });

  test.each([
    ["writing", open],
    ["reading", openToRead],
  ])("says what to do if some of them are missing, when opened for %s", async (_, openIt) => {
    await using database = await engine.create();
    await makeEarlier(database, 2);

    await expect(openIt(database, current)).rejects.toMatchObject({
      code: "older_schema",
      message: expect.stringMatching(
        /lacks ships\/0003-ports\): .* the step ships\/0003-ports, and then with this one$/,
      ),
    });

    await (await open(database, earlier)).close();
    await (await open(database, current)).close();
    expect(await recordedIn(database, current)).toEqual(["0001-schema"]);
  });

  test("may be opened by several processes at once, while one of before has it open", async () => {
    await using database = await engine.create();
    await makeEarlier(database);
    await using before = await open(database, earlier);

    const stores = await Promise.all([1, 2, 3].map(() => open(database, withLater)));

    await before.db.insertInto("ship").values({ name: "Beagle" }).execute();
    expect(await stores[0]?.db.selectFrom("ship").selectAll().orderBy("name").execute()).toHaveLength(2);
    for (const store of stores) await store.close();
    await before.db.deleteFrom("ship").where("name", "=", "Beagle").execute();
    expect(await recordedIn(database, withLater)).toEqual(["0001-schema", "0002-later"]);
  });

  test("is refused by the earlier build afterwards, and by this one if it has steps that are not known", async () => {
    await using database = await engine.create();
    await using newer = await engine.create();
    await makeEarlier(database);
    await (await open(database, current)).close();
    await (await open(newer, { ...earlier, migrations: [...earlier.migrations, nothing("0004-crews")] })).close();

    await expect(open(database, earlier)).rejects.toMatchObject({ code: "newer_schema" });
    await expect(open(newer, current)).rejects.toMatchObject({
      code: "newer_schema",
      message: expect.stringContaining("ships/0004-crews"),
    });
  });
});

describe("migrate", () => {
  it("rejects a list whose names are in another order, because they would run in that of their names", async () => {
    const migrations = [nothing("0002-b"), nothing("0001-a")];

    await expect(openStore(":memory:", { migrations: [{ service: "ships", migrations }] })).rejects.toThrow(
      "the migration ships/0001-a has to sort after the one before it: give it the next number",
    );
  });
});
