import { engineTitle, testEngines } from "@plimsoll/testing";
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

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "compileOnce on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("runs with the values of each run, inside a transaction too", async () => {
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
    });
  },
);
