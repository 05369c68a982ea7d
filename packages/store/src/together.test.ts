import { engineTitle, type StoreContractTables, storeContractMigrations, storeTestEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openStore } from "./open.ts";
import { together } from "./together.ts";
import { transactionLock } from "./transaction.ts";

describe.each(storeTestEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "together on $title",
  ({ engine }) => {
    async function openNotes(onStatement: (text: string) => void = () => {}) {
      const database = await engine.create();
      const store = await openStore<StoreContractTables>(database.location, {
        migrations: [storeContractMigrations],
        onStatement,
      });
      await store.db
        .insertInto("note")
        .values({ id: "a", text: "first", seen_at: 2 ** 41 })
        .execute();
      const close = async () => {
        await store.close();
        await database[Symbol.asyncDispose]();
      };
      return { store, [Symbol.asyncDispose]: close };
    }

    it.skipIf(engine.skip)("returns the rows of each statement, and none for those without rows", async () => {
      await using opened = await openNotes();
      const { store } = opened;

      const { locked: _, ...found } = await store.transaction((db) =>
        together(db, {
          locked: transactionLock(store, db, "notes"),
          known: db.selectFrom("note").selectAll().where("id", "=", "a"),
          none: db.selectFrom("note").select("id").where("id", "=", "none"),
          added: db.insertInto("note").values({ id: "b", text: null, seen_at: 1 }).returning(["id", "text"]),
          quiet: db.insertInto("note").values({ id: "c", text: "'quoted\" \\", seen_at: 1 }),
          absent: undefined,
        }),
      );

      expect(found).toEqual({
        known: [{ id: "a", text: "first", seen_at: 2 ** 41 }],
        none: [],
        added: [{ id: "b", text: null }],
        quiet: [],
        absent: [],
      });
      const rows = await store.db.selectFrom("note").select(["id", "text"]).orderBy("id").execute();
      expect(rows.map(({ id }) => id)).toEqual(["a", "b", "c"]);
      expect(rows.at(-1)?.text).toBe("'quoted\" \\");
    });

    it.skipIf(engine.skip)("rolls back the transaction if one of them fails", async () => {
      await using opened = await openNotes();
      const { store } = opened;

      const failed = store.transaction((db) =>
        together(db, {
          added: db.insertInto("note").values({ id: "b", text: null, seen_at: 1 }),
          twin: db.insertInto("note").values({ id: "a", text: null, seen_at: 1 }),
        }),
      );

      await expect(failed).rejects.toThrow();
      expect(await store.db.selectFrom("note").select("id").execute()).toEqual([{ id: "a" }]);
    });

    it.skipIf(engine.skip)("is one statement on PostgreSQL, and several on SQLite", async () => {
      const statements: string[] = [];
      await using opened = await openNotes((text) => void statements.push(text));
      const { db } = opened.store;
      statements.length = 0;

      await together(db, {
        first: db.insertInto("note").values({ id: "b", text: null, seen_at: 1 }),
        second: db.updateTable("note").set({ text: sql`text || '.'` }).where("id", "=", "a"),
      });

      expect(statements).toHaveLength(engine.name.startsWith("SQLite") ? 2 : 1);
      expect(await db.selectFrom("note").select(["id", "text"]).orderBy("id").execute()).toEqual([
        { id: "a", text: "first." },
        { id: "b", text: null },
      ]);
    });
  },
);
