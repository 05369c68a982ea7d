/**
 * Databases and blob stores that an older version has written (`fixtures/older-database`), with rows in every table: this version
 * opens them, keeps every row, and answers what the older one answered. The steps that made their schema are one migration now.
 */
import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RegistryTables } from "@plimsoll/registry";
import { openStore, type Store } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allMigrations } from "./support/all-migrations.ts";
import {
  askOlderRegistry,
  type OlderRegistry,
  olderFixtures,
  type Rows,
  restoreOlder,
} from "./support/older-database.ts";
import { tempFolder } from "./support/temp-folder.ts";

const lackedSizes = ["drop table daily_size"];
const lackedUpgrades = ["drop table found_upgrade", ...lackedSizes];
const lackedOrders = ["drop index image_manifest_size", "drop index image_repository_size", ...lackedUpgrades];

/** What a version of development lacked that had only a former first migration, and the later steps that added it. */
const formerSchemas = [
  {
    service: "registry",
    former: "0001-schema",
    later: ["0002-platforms", "0003-orders", "0004-upgrades", "0005-daily-sizes"],
    lacked: ["alter table image_manifest drop column platform", ...lackedOrders],
    read: "select platform as found from image_manifest",
    name: "0001-schema-5",
  },
  {
    service: "registry",
    former: "0001-schema-2",
    later: ["0003-orders", "0004-upgrades", "0005-daily-sizes"],
    lacked: lackedOrders,
    read: "select platform as found from image_manifest",
    name: "0001-schema-5",
  },
  {
    service: "registry",
    former: "0001-schema-3",
    later: ["0004-upgrades", "0005-daily-sizes"],
    lacked: lackedUpgrades,
    read: "select package as found from found_upgrade",
    name: "0001-schema-5",
  },
  {
    service: "registry",
    former: "0001-schema-4",
    later: ["0005-daily-sizes"],
    lacked: lackedSizes,
    read: "select day as found from daily_size",
    name: "0001-schema-5",
  },
  {
    service: "indexer",
    former: "0001-schema",
    later: ["0002-record-facts"],
    lacked: ["drop table indexer_record_fact"],
    read: "select value as found from indexer_record_fact",
    name: "0001-schema-2",
  },
];

/** Columns whose values a newer version changes on purpose: some kinds of jobs have other names, and images are counted again. */
const changedColumns: Readonly<Record<string, readonly string[]>> = {
  jobs: ["kind", "unique_key"],
  finding_count: ["due_at"],
};

describe.each(testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })))(
  "a database of an older version on $title",
  ({ engine }) => {
    const kind = engine.name === "PostgreSQL" ? "postgres" : "sqlite";
    const resources = new AsyncDisposableStack();
    let older: OlderRegistry;
    let before: Rows;
    let store: Store<RegistryTables>;
    let blobs: string;

    beforeAll(async () => {
      if (engine.skip !== undefined) return;
      const folder = resources.use(tempFolder());
      const database = resources.use(await engine.create());
      older = JSON.parse(await readFile(join(olderFixtures, kind, "answers.json"), "utf8"));
      blobs = join(folder.path, "blobs");
      await cp(join(olderFixtures, kind, "blobs"), blobs, { recursive: true });
      before = await restoreOlder(database);
      store = resources.use(await openStore<RegistryTables>(database.location, { migrations: allMigrations }));
    });
    afterAll(() => resources.disposeAsync());

    it.skipIf(engine.skip !== undefined)("had rows in every table", () => {
      expect(Object.keys(before).length).toBeGreaterThan(70);
      expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    });

    it.skipIf(engine.skip !== undefined)("keeps every row", async () => {
      for (const [table, rows] of Object.entries(before)) {
        if (table.endsWith("_migrations")) continue;
        const columns = Object.keys(rows[0] ?? {}).filter((each) => !changedColumns[table]?.includes(each));
        const selected = sql.join(columns.map((column) => sql.ref(column)));
        const kept = await sql<Rows[string][number]>`select ${selected} from ${sql.table(table)}`.execute(store.db);
        const asTexts = (all: Rows[string]) =>
          all.map((row) => JSON.stringify(columns.map((column) => String(row[column]))));
        expect([table, ...asTexts(kept.rows)]).toEqual(expect.arrayContaining([table, ...asTexts(rows)]));
      }
    });

    it.skipIf(engine.skip !== undefined)("has the migrations of a new database, and no others", async () => {
      const kernel = { service: "store", migrations: [{ name: "0001-schema" }] };
      for (const { service, migrations } of [kernel, ...allMigrations]) {
        const recorded = sql<{ name: string }>`select name from ${sql.table(`${service}_migrations`)} order by name`;
        const names = (await recorded.execute(store.db)).rows.map(({ name }) => name);
        expect([service, ...names]).toEqual([service, ...migrations.map(({ name }) => name)]);
      }
    });

    it.skipIf(engine.skip !== undefined)("counts its images again at once, since it had no upgrades", async () => {
      const due = await store.db.selectFrom("finding_count").select("due_at").distinct().execute();
      expect(due.map(({ due_at: at }) => Number(at))).toEqual([0]);
    });

    it.skipIf(engine.skip !== undefined)("answers what it answered", async () => {
      const answers = await askOlderRegistry(store, blobs, older);

      for (const [path, expected] of Object.entries(older.answers))
        expect([path, answers[path]]).toEqual([path, expected]);
    });
  },
);

describe.each(testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })))(
  "a database of a version of development on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test.each(
      formerSchemas.flatMap((former) => [
        { ...former, what: "without", hadLater: [] },
        { ...former, what: "with", hadLater: former.later },
      ]),
    )("is opened: $service $former $what $later", async ({ service, former, lacked, read, hadLater, name: now }) => {
      await using database = await engine.create();
      const table = sql.table(`${service}_migrations`);
      const open = () => openStore<RegistryTables>(database.location, { migrations: allMigrations });
      const written = await open();
      await sql`update ${table} set name = ${former}`.execute(written.db);
      for (const name of hadLater) await sql`insert into ${table} values (${name}, '')`.execute(written.db);
      if (hadLater.length === 0) for (const each of lacked) await sql.raw(each).execute(written.db);
      await written.close();

      await using store = await open();

      expect((await sql.raw(read).execute(store.db)).rows).toEqual([]);
      expect((await sql`select name from ${table}`.execute(store.db)).rows).toEqual([{ name: now }]);
    });
  },
);

describe("allMigrations", () => {
  it("are one migration a service, until the first release", () => {
    const isReleased = existsSync(new URL("../packages/server/CHANGELOG.md", import.meta.url));
    const later = allMigrations.flatMap(({ service, migrations }) =>
      migrations.slice(1).map(({ name }) => `${service}/${name}`),
    );

    expect(isReleased ? [] : later).toEqual([]);
  });
});
