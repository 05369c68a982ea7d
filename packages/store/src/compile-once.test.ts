import { engineTitle, storeTestEngines } from "@plimsoll/testing";
import type { Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { compileOnce, type Parameter } from "./compile-once.ts";
import type { MigrationSet } from "./migrate.ts";
import { openStore } from "./open.ts";

interface Tables {
  readonly ship: { readonly id: string; readonly name: string; readonly tons: number | null };
}

const ships: MigrationSet = {
  service: "ships",
  migrations: [
    {
      name: "0001-ships",
      up: async (db) => {
        await db.schema
          .createTable("ship")
          .addColumn("id", "text", (column) => column.primaryKey())
          .addColumn("name", "text")
          .addColumn("tons", "bigint")
          .execute();
      },
    },
  ],
};

const findHeavy = compileOnce((db: Kysely<Tables>, parameter: Parameter<{ tons: number; name: string }>) =>
  db
    .selectFrom("ship")
    .select(["id", "tons"])
    .where("tons", ">", parameter("tons"))
    .where("name", "!=", parameter("name"))
    .where("id", "!=", "none")
    .where("tons", "<", 1000)
    .orderBy("id"),
);

const findByName = compileOnce((db: Kysely<Tables>, parameter: Parameter<{ name: string }>) =>
  db.selectFrom("ship").select("tons").where("name", "=", parameter("name")),
);

const findHeavyByName = compileOnce((db: Kysely<Tables>, parameter: Parameter<{ name: string }>) =>
  db.selectFrom("ship").select("id").where("name", "=", parameter("name")).where("tons", ">", 15),
);

const findLightByName = compileOnce((db: Kysely<Tables>, parameter: Parameter<{ name: string }>) =>
  db.selectFrom("ship").select("id").where("name", "=", parameter("name")).where("tons", ">", 5),
);

/** A query with one parameter many times. */
const findByManyNames = compileOnce((db: Kysely<Tables>, parameter: Parameter<{ name: string }>) =>
  db
    .selectFrom("ship")
    .select("id")
    .where(
      "name",
      "in",
      Array.from({ length: 30 }, () => parameter("name")),
    ),
);

/** Waits until commits of another process are seen. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe.each(storeTestEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "compileOnce on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("runs with the parameters of each call, also in a transaction", async () => {
      await using database = await engine.create();
      await using store = await openStore<Tables>(database.location, { migrations: [ships] });
      const fleet = [
        { id: "a", name: "Argo", tons: 10 },
        { id: "b", name: "Bark", tons: 20 },
        { id: "c", name: "Coal", tons: 2000 },
      ];
      await store.db.insertInto("ship").values(fleet).execute();

      const before = await findHeavy(store.db, { tons: 5, name: "Argo" });
      const inside = await store.transaction(async (transaction) => {
        await transaction.deleteFrom("ship").where("id", "=", "b").execute();
        return findHeavy(transaction, { tons: 5, name: "" });
      });

      expect(before).toEqual([{ id: "b", tons: 20 }]);
      expect(inside).toEqual([{ id: "a", tons: 10 }]);
      expect(await findHeavy(store.db, { tons: 15, name: "" })).toEqual([]);
      expect(await findLightByName(store.db, { name: "Argo" })).toEqual([{ id: "a" }]);
      expect(await findHeavyByName(store.db, { name: "Argo" })).toEqual([]); // of the same text
    });

    it.skipIf(engine.skip !== undefined)("returns the current rows, whichever process has changed them", async () => {
      await using database = await engine.create();
      await using store = await openStore<Tables>(database.location, { migrations: [ships] });
      const tonsOf = async (name: string) => (await findByName(store.db, { name })).map(({ tons }) => tons);
      const setTons = (db: Kysely<Tables>, tons: number) => db.updateTable("ship").set({ tons }).execute();
      expect(await tonsOf("Argo")).toEqual([]);

      await store.db.insertInto("ship").values({ id: "a", name: "Argo", tons: 10 }).execute();
      const inserted = [await tonsOf("Argo"), await tonsOf("Argo")];
      const inside = await store.transaction(async (transaction) => {
        await setTons(transaction, 20);
        const [row] = await findByName(transaction, { name: "Argo" });
        return [row?.tons, engine.shared ? (await tonsOf("Argo"))[0] : 10];
      });
      const committed = await tonsOf("Argo");
      const failing = store.transaction(async (transaction) => {
        await setTons(transaction, 30);
        throw new Error("undo");
      });
      await expect(failing).rejects.toThrow("undo");
      const undone = await tonsOf("Argo");

      expect({ inserted, inside, committed, undone }).toEqual({
        inserted: [[10], [10]],
        inside: [20, 10],
        committed: [20],
        undone: [20],
      });
    });

    if (engine.name === "SQLite file") {
      it.skipIf(engine.skip !== undefined)("remembers the rows of a query with one parameter many times", async () => {
        await using database = await engine.create();
        await using store = await openStore<Tables>(database.location, { migrations: [ships] });
        await store.db.insertInto("ship").values({ id: "a", name: "Argo", tons: 10 }).execute();

        const [first] = await findByManyNames(store.db, { name: "Argo" });
        const [second] = await findByManyNames(store.db, { name: "Argo" });

        expect(first).toEqual({ id: "a" });
        expect(second).toBe(first);
      });
    }

    if (engine.shared) {
      it.skipIf(engine.skip !== undefined)("sees what another connection has committed", async () => {
        await using database = await engine.create();
        await using store = await openStore<Tables>(database.location, { migrations: [ships] });
        await using other = await openStore<Tables>(database.location, { migrations: [ships] });
        const found: unknown[] = [];
        for (const tons of [1, 2, 3]) {
          await other.db.deleteFrom("ship").execute();
          await other.db.insertInto("ship").values({ id: "a", name: "Argo", tons }).execute();
          await nextTurn();
          found.push(await findByName(store.db, { name: "Argo" }), await findByName(store.db, { name: "Argo" }));
        }

        expect(found.flat()).toEqual([1, 1, 2, 2, 3, 3].map((tons) => ({ tons })));
      });
    }
  },
);
