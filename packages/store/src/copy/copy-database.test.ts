import { mkdtempSync, rmSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enginePairs, engineTitle, storeTestEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { MigrationSet } from "../migrate.ts";
import { type OpenStoreOptions, openStore } from "../open.ts";
import { copyDatabase } from "./copy-database.ts";

interface Tables {
  ship: { id: string; captain: string | null; tonnes: number | null };
  person: { id: string; ship: string | null };
  voyage: { number: number; ship: string };
}

/** Tables that refer to each other in a cycle, and one with generated numbers. */
const ships: MigrationSet = {
  service: "ships",
  migrations: [
    {
      name: "0001-ships",
      async up(db, kind) {
        const number = kind === "sqlite" ? "integer primary key" : "bigint generated always as identity primary key";
        for (const statement of [
          "create table ship (id text primary key, captain text, tonnes bigint)",
          "create table person (id text primary key, ship text references ship (id))",
          `create table voyage (number ${number}, ship text not null references ship (id))`,
          ...(kind === "postgres" ? ["alter table ship add foreign key (captain) references person (id)"] : []),
        ])
          await sql.raw(statement).execute(db);
      },
    },
  ],
};
const options: OpenStoreOptions = { migrations: [ships] };
const open = (location: string) => openStore<Tables>(location, options);

/** More rows than one page. */
const shipCount = 1_203;

async function fill(location: string): Promise<void> {
  await using store = await open(location);
  await store.transaction(async (db) => {
    for (let index = 0; index < shipCount; index++)
      await db
        .insertInto("ship")
        .values({ id: `s${index}`, captain: null, tonnes: 2 ** 41 + index })
        .execute();
    await db.insertInto("person").values({ id: 'o\'Hara "ß" \\n', ship: "s1" }).execute();
    await db.updateTable("ship").set({ captain: 'o\'Hara "ß" \\n' }).where("id", "=", "s1").execute();
    for (let index = 0; index < 3; index++) await sql`insert into voyage (ship) values (${`s${index}`})`.execute(db);
  });
}

async function rowsOf(location: string) {
  await using store = await open(location);
  return {
    ship: await store.db.selectFrom("ship").selectAll().orderBy("id").execute(),
    person: await store.db.selectFrom("person").selectAll().orderBy("id").execute(),
    voyage: await store.db.selectFrom("voyage").selectAll().orderBy("number").execute(),
  };
}

const engines = storeTestEngines.filter(({ shared }) => shared);
describe.each(enginePairs)("copyDatabase from $title", ({ from, to, skip }) => {
  it.skipIf(skip !== undefined)("copies every row, and continues generated numbers after them", async () => {
    await using source = await from.create();
    await using target = await to.create();
    await fill(source.location);

    const copied = await copyDatabase(source.location, target.location, options);

    expect(copied).toEqual(new Map([...emptyTables, ["person", 1], ["ship", shipCount], ["voyage", 3]]));
    expect(await rowsOf(target.location)).toEqual(await rowsOf(source.location));
    await using store = await open(target.location);
    const next = await sql<{ number: number }>`insert into voyage (ship) values ('s1') returning number`.execute(
      store.db,
    );
    expect(next.rows).toEqual([{ number: 4 }]);
    await expect(sql`insert into voyage (ship) values ('none')`.execute(store.db)).rejects.toThrow(/foreign key/i);
  });

  it.skipIf(skip !== undefined)("copies the state of one instant, and lets others write meanwhile", async () => {
    await using source = await from.create();
    await using target = await to.create();
    await fill(source.location);
    await using writer = await open(source.location);
    const written: Promise<unknown>[] = [];
    const writes = { now: 0 };
    const migrations = [ships];
    const signal = {
      // Called before each page: adds a row to a table that is copied later, and to the current one.
      throwIfAborted: () => {
        writes.now++;
        const id = `late${writes.now}`;
        written.push(writer.db.insertInto("ship").values({ id, captain: null, tonnes: 1 }).execute());
        written.push(sql`insert into voyage (ship) values ('s0')`.execute(writer.db));
      },
    } as AbortSignal;

    const copied = await copyDatabase(source.location, target.location, { migrations, signal });
    await Promise.all(written);

    expect(writes.now).toBeGreaterThan(2);
    expect([copied.get("ship"), copied.get("voyage")]).toEqual([shipCount, 3]);
  });
});

/** The tables of the store's own migrations. */
const emptyTables = new Map([["jobs", 0]]);

describe.each(engines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "copyDatabase to $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("rejects a database with rows, and leaves them", async () => {
      await using source = await engine.create();
      await using target = await engine.create();
      await fill(source.location);
      await fill(target.location);

      await expect(copyDatabase(source.location, target.location, options)).rejects.toMatchObject({
        code: "not_empty",
      });

      expect((await rowsOf(target.location)).ship).toHaveLength(shipCount);
    });

    it.skipIf(engine.skip !== undefined)("leaves nothing when it is aborted, and can be run again", async () => {
      await using source = await engine.create();
      await using target = await engine.create();
      await fill(source.location);
      const signal = AbortSignal.abort(new Error("stopped"));

      await expect(copyDatabase(source.location, target.location, { ...options, signal })).rejects.toThrow("stopped");

      await copyDatabase(source.location, target.location, options);
      expect((await rowsOf(target.location)).ship).toHaveLength(shipCount);
    });

    it.skipIf(engine.skip !== undefined)(
      "rejects a source that does not exist, has an older schema or is damaged",
      async () => {
        await using source = await engine.create();
        await using target = await engine.create();
        await (await openStore(source.location, { migrations: [] })).close();

        await expect(copyDatabase(source.location, target.location, options)).rejects.toMatchObject({
          code: "older_schema",
        });
      },
    );
  },
);

it("creates only a file that no other user can read", async () => {
  using folder = {
    path: mkdtempSync(join(tmpdir(), "plimsoll-copy-")),
    [Symbol.dispose]: () => rmSync(folder.path, { recursive: true }),
  };
  const [source, target] = [join(folder.path, "source.db"), join(folder.path, "target.db")];
  await fill(source);

  await copyDatabase(source, target, options);

  expect((await stat(target)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder.path)).filter((name) => name.startsWith("target"))).toEqual(["target.db"]);
});
