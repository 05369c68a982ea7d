import { engineTitle, storeTestEngines } from "@plimsoll/testing";
import { type Kysely, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { compileBoth } from "./compile-both.ts";
import { compileOnce, type Parameter } from "./compile-once.ts";
import type { MigrationSet } from "./migrate.ts";
import { openStore } from "./open.ts";

interface Tables {
  readonly ship: { readonly id: string; readonly name: string; readonly tons: number };
}

const ships: MigrationSet = {
  service: "ships",
  migrations: [
    {
      name: "0001",
      up: async (db) => void (await sql`create table ship (id text, name text, tons bigint)`.execute(db)),
    },
  ],
};

const findByName = compileOnce((db: Kysely<Tables>, parameter: Parameter<{ name: string }>) =>
  db.selectFrom("ship").selectAll().where("name", "=", parameter("name")),
);

const findHeavier = compileOnce((db: Kysely<Tables>, parameter: Parameter<{ name: string; tons: number }>) =>
  db
    .selectFrom("ship")
    .select("id")
    .where("tons", ">", parameter("tons"))
    .where("name", "!=", parameter("name"))
    .orderBy("tons"),
);

const findBoth = compileBoth(findByName, findHeavier);

const engines = storeTestEngines.map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("compileBoth on $title", ({ engine }) => {
  const test = (title: string, run: (world: Awaited<ReturnType<typeof openWorld>>) => Promise<void>) =>
    it.skipIf(engine.skip !== undefined)(title, async () => {
      await using world = await openWorld();
      await run(world);
    });

  async function openWorld() {
    const database = await engine.create();
    const statements: string[] = [];
    const onStatement = (text: string) => void statements.push(text);
    const store = await openStore<Tables>(database.location, { migrations: [ships], onStatement });
    const fleet = ["Argo", "Bark", "Coal"].map((name, index) => ({ id: name.slice(0, 1), name, tons: 10 * index }));
    await store.db.insertInto("ship").values(fleet).execute();
    statements.length = 0;
    const dispose = async () => {
      await store[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    };
    return { store, statements, [Symbol.asyncDispose]: dispose };
  }

  test("returns the rows of both queries, with parameters of the same name, also in a transaction", async ({
    store,
  }) => {
    const rows = [
      await findBoth(store.db, { name: "Argo" }, { name: "Bark", tons: 5 }),
      await findBoth(store.db, { name: "nothing" }, { name: "", tons: -1 }),
      await store.transaction((db) => findBoth(db, { name: "Bark" }, { name: "", tons: 1000 })),
    ];

    expect(rows).toEqual([
      [[{ id: "A", name: "Argo", tons: 0 }], [{ id: "C" }]],
      [[], [{ id: "A" }, { id: "B" }, { id: "C" }]],
      [[{ id: "B", name: "Bark", tons: 10 }], []],
    ]);
  });

  test("is one statement on PostgreSQL", async ({ store, statements }) => {
    await findBoth(store.db, { name: "Argo" }, { name: "Bark", tons: 5 });

    expect(statements).toHaveLength(store.kind === "postgres" ? 1 : 2);
  });

  test("works after a migration of another process has changed the columns", async ({ store }) => {
    const before = await findByName(store.db, { name: "Argo" });
    await sql`alter table ship add column flag text`.execute(store.db);
    const after = [await findByName(store.db, { name: "Argo" }), await findByName(store.db, { name: "Argo" })];

    expect(before).toEqual([{ id: "A", name: "Argo", tons: 0 }]);
    // It depends on the version of node:sqlite whether the new column is in the row.
    expect(after.flat()).toMatchObject([1, 2].map(() => ({ id: "A", name: "Argo", tons: 0 })));
  });
});
