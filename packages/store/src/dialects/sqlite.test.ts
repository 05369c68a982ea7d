import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers";
import { type StoreContractTables, storeContractMigrations } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openStore } from "../open.ts";

const long = sql`select count(*) from (with recursive numbers(i) as (select 1 union all select i + 1 from numbers
  where i < 1000000) select i from numbers)`;

describe("SQLite", () => {
  it("lets other work run after a long read", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plimsoll-store-"));
    try {
      await using store = await openStore(join(folder, "store.db"), { migrations: [] });
      let turns = 0;
      setImmediate(() => turns++);

      await long.execute(store.db);

      expect(turns).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("blocks other writers only for the statements of a transaction, and lets others write after it", async () => {
    await using store = await openStore<StoreContractTables>(":memory:", { migrations: [storeContractMigrations] });
    const note = (id: string) => ({ id, text: null, seen_at: 1 });
    await store.db.insertInto("note").values(note("0")).execute();
    let turns = 0;
    setImmediate(() => turns++);

    const within = await store.transaction(async (db) => {
      for (const id of ["1", "2", "3"]) await db.insertInto("note").values(note(id)).execute();
      return turns;
    });
    await store.relaxed.insertInto("note").values(note("4")).execute();

    expect(within).toBe(0);
    expect(turns).toBe(1);
  });
});
