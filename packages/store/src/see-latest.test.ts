import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { engineTitle, storeTestEngines } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ships, type Tables, ways } from "./fixtures/ships.ts";
import { openStore } from "./open.ts";

describe("Store.seeLatest", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plimsoll-store-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each(Object.entries(ways))("shows %s what another process has just committed", async (_, read) => {
    await using store = await openStore<Tables>(join(folder, "ships.db"), { migrations: [ships] });
    using other = new DatabaseSync(join(folder, "ships.db"));
    await new Promise(setImmediate);
    const before = await read(store);
    other.exec("insert into ship values ('Argo')"); // still in this turn of the event loop: only finished promises were awaited

    store.seeLatest();

    expect([before, await read(store)]).toEqual([0, 1]);
  });
});

describe.each(
  storeTestEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })),
)("two stores on $title", ({ engine }) => {
  it.skipIf(engine.skip !== undefined).each(Object.entries(ways))(
    "%s sees what the other was told is committed",
    async (_, read) => {
      await using database = await engine.create();
      await using one = await openStore<Tables>(database.location, { migrations: [ships] });
      await using other = await openStore<Tables>(database.location, { migrations: [ships] });
      for (let expected = 0; expected < 20; expected++) {
        other.seeLatest();
        expect(await read(other)).toBe(expected);
        await one.db.insertInto("ship").values({ name: "Argo" }).execute();
      }
    },
  );
});
