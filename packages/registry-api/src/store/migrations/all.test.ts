import { openStore } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { findAccount } from "../accounts.ts";
import type { RegistryTables } from "../tables/all.ts";
import { registryMigrations } from "./all.ts";

const accountOfThen = sql`insert into account values ('1', 'user', 'alice', 'alice@example.com', 'hash', 1, 1, 1, 0, null, 0,
  '{}', 3, 4000, 5, null)`;

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "registryMigrations on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("make tables that can be read", async () => {
      await using database = await engine.create();
      await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });

      const rows = await store.db.selectFrom("quota").selectAll().execute();

      expect(rows).toEqual([]);
    });

    it.skipIf(engine.skip !== undefined || engine.name === "SQLite memory")(
      "keep accounts and their sessions that an older release stored",
      async () => {
        await using database = await engine.create();
        const older = { ...registryMigrations, migrations: registryMigrations.migrations.slice(0, 4) };
        await using before = await openStore<RegistryTables>(database.location, { migrations: [older] });
        await accountOfThen.execute(before.db);
        await sql`insert into session values ('of alice', '1', 1, '', 0, 0, 9), ('anonymous', null, 0, '', 0, 0, 9)`.execute(
          before.db,
        );

        await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });

        const alice = await findAccount(store.db, "alice", "user");
        expect(alice).toMatchObject({ id: "1", password_hash: "hash", created_at: 5, last_accessed_at: null });
        expect(alice).not.toHaveProperty("locked_until");
        expect(await store.db.selectFrom("session").select("id_hash").execute()).toEqual([{ id_hash: "of alice" }]);
      },
    );
  },
);
