import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  engineTitle,
  type StoreContractTables,
  sharedStoreContract,
  storeContract,
  storeContractMigrations,
  storeTestEngines,
} from "@plimsoll/testing";
import { type Kysely, sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MigrationSet } from "./migrate.ts";
import { openStore } from "./open.ts";
import type { Store } from "./store.ts";

/** Tables with two indexes. The one created last is less selective: without statistics SQLite uses it. */
const migrations: readonly MigrationSet[] = [
  {
    service: "statistics",
    migrations: [
      {
        name: "0001-things",
        up: async (db) => {
          for (const table of ["thing", "other", "empty"]) {
            await sql.raw(`create table ${table} (id text primary key, kind text, owner text)`).execute(db);
            await sql.raw(`create index ${table}_owner on ${table} (owner)`).execute(db);
            await sql.raw(`create index ${table}_kind on ${table} (kind)`).execute(db);
          }
        },
      },
    ],
  },
];

async function fill(db: Kysely<unknown>, table: string, rows: number): Promise<void> {
  await sql
    .raw(
      `insert into ${table} with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
       select '${rows} ' || i, 'kind' || i % 2, 'owner' || i from n`,
    )
    .execute(db);
}

const query = "select id from thing where kind = 'kind1' and owner = 'owner7'";

/** The query plans for one row, of the read connection and of the write connection. */
async function plansOf(store: Store<unknown>): Promise<readonly unknown[]> {
  const [read] = await store.prepareRead(`explain query plan ${query}`)();
  const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(query)}`.execute(store.db);
  return [read?.at(-1), rows[0]?.detail];
}

describe("optimize of an SQLite store", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "plimsoll-statistics-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = () => openStore<unknown>(join(folder, "store.db"), { migrations });
  const both = (index: string) => Array(2).fill(expect.stringContaining(`INDEX ${index} `));

  it("plans queries by the new contents of tables, on both connections", async () => {
    await using store = await open();
    await fill(store.db, "thing", 5_000);
    const before = await plansOf(store);

    await store.optimize();

    expect(before).toEqual(both("thing_kind"));
    expect(await plansOf(store)).toEqual(both("thing_owner"));
  });

  it("analyzes tables again that have grown since, and no others", async () => {
    await using store = await open();
    await fill(store.db, "thing", 50);
    await fill(store.db, "other", 50);
    await store.optimize();
    await fill(store.db, "other", 5_000);
    await sql`update sqlite_stat1 set stat = '50 7' where tbl = 'thing'`.execute(store.db);

    await store.optimize();

    const { rows } = await sql<{ tbl: string; stat: string }>`
      select tbl, stat from sqlite_stat1 where idx like '%_owner' order by tbl`.execute(store.db);
    expect(rows).toEqual([
      { tbl: "other", stat: expect.stringMatching(/^50\d\d /) },
      { tbl: "thing", stat: "50 7" },
    ]);
  });

  it("lets other processes write between two tables", async () => {
    await using store = await open();
    for (const table of ["thing", "other"]) await fill(store.db, table, 500);
    const done: string[] = [];

    const optimizing = store.optimize().then(() => done.push("optimized"));
    const writing = sql`delete from empty`.execute(store.relaxed).then(() => done.push("written"));
    await Promise.all([optimizing, writing]);

    expect(done).toEqual(["written", "optimized"]);
  });

  it("does not change a database opened for reading", async () => {
    await using store = await open();
    await fill(store.db, "thing", 50);
    await using reading = await openStore<unknown>(join(folder, "store.db"), { migrations, readOnly: true });

    await expect(reading.optimize()).resolves.toBeUndefined();
  });
});

const options = { migrations: [storeContractMigrations] };
const open = (location: string) => openStore<StoreContractTables>(location, options);

describe.each(storeTestEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "openStore on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each(storeContract)("$name", async ({ run }) => {
      await using database = await engine.create();
      await using store = await open(database.location);

      await run(store);
    });

    if (engine.shared) {
      it.skipIf(engine.skip !== undefined).each(sharedStoreContract)("$name", async ({ run }) => {
        await using database = await engine.create();
        await using first = await open(database.location);
        await using second = await open(database.location);

        await run([first, second]);
      });

      it.skipIf(engine.skip !== undefined)("migrates once when several processes open a new database", async () => {
        await using database = await engine.create();

        const stores = await Promise.all([1, 2, 3].map(() => open(database.location)));

        for (const store of stores) await store.close();
        await using again = await open(database.location);
        expect(await again.db.selectFrom("note").selectAll().execute()).toEqual([]);
      });

      it.skipIf(engine.skip !== undefined)("rejects a database of a newer release", async () => {
        await using database = await engine.create();
        const next = { name: "0002-later", up: async () => {} };
        const newer = { ...storeContractMigrations, migrations: [...storeContractMigrations.migrations, next] };
        await (await openStore(database.location, { migrations: [newer] })).close();

        await expect(open(database.location)).rejects.toMatchObject({
          code: "newer_schema",
          message: expect.stringContaining("0002-later"),
        });
      });

      it.skipIf(engine.skip !== undefined)("rolls back a migration that fails", async () => {
        await using database = await engine.create();
        const broken = {
          name: "0002-broken",
          up: async (db: Parameters<(typeof storeContractMigrations.migrations)[0]["up"]>[0]) => {
            await db.schema.createTable("half").addColumn("id", "text").execute();
            throw new Error("out of ideas");
          },
        };
        const failing = { service: "half", migrations: [broken] };

        await expect(openStore(database.location, { migrations: [failing] })).rejects.toMatchObject({
          code: "migration_failed",
        });

        await using store = await openStore<{ half: { id: string } }>(database.location, options);
        await expect(store.db.selectFrom("half").selectAll().execute()).rejects.toThrow(/half/);
      });
    }
  },
);

describe("openStore on an SQLite file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "plimsoll-open-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("creates the file and its folders, which no other user can read", async () => {
    const path = join(folder, "a/b/c.sqlite");

    await (await open(`sqlite:${path}`)).close();

    expect((await stat(path)).isFile()).toBe(true);
    expect((await stat(dirname(path))).mode & 0o077).toBe(0);
  });

  it("rejects a file that is not a database and leaves it unchanged", async () => {
    const path = join(folder, "photo.jpg");
    await writeFile(path, "not a database, but long enough to look at".repeat(40));

    await expect(open(path)).rejects.toMatchObject({ code: "not_a_database", message: expect.stringContaining(path) });
    expect((await stat(path)).size).toBe(42 * 40);
  });

  it("rejects the SQLite database of another program", async () => {
    const path = join(folder, "other.sqlite");
    const other = new DatabaseSync(path);
    other.exec("create table theirs (id text)");
    other.close();

    await expect(open(path)).rejects.toMatchObject({ code: "not_a_database" });
  });

  it("rejects a folder", async () => {
    await expect(open(folder)).rejects.toMatchObject({ code: "cannot_open", message: expect.stringContaining(folder) });
  });

  it("only reads when opened for reading", async () => {
    const path = join(folder, "read-only.sqlite");
    const writer = await open(path);
    await writer.db.insertInto("note").values({ id: "a", text: null, seen_at: 1 }).execute();
    await writer.close();

    await using store = await openStore<StoreContractTables>(path, { ...options, readOnly: true });

    expect(await store.db.selectFrom("note").select("id").execute()).toEqual([{ id: "a" }]);
    await expect(store.db.deleteFrom("note").execute()).rejects.toMatchObject({ code: "read_only" });
  });

  it("creates nothing when opened for reading", async () => {
    const path = join(folder, "missing.sqlite");

    await expect(openStore(path, { ...options, readOnly: true })).rejects.toMatchObject({ code: "not_found" });
  });

  it("reports when a database opened for reading needs a migration", async () => {
    const path = join(folder, "older.sqlite");
    await (await openStore(path, { migrations: [] })).close();

    await expect(openStore(path, { ...options, readOnly: true })).rejects.toMatchObject({ code: "older_schema" });
  });

  it("frees the lock of a dead process once its lease has ended", async () => {
    let now = 0;
    const clock = { now: () => now };
    await using store = await open(join(folder, "lease.sqlite"));
    const dead = await store.tryLock("feeds", { clock, leaseSeconds: 10 });
    now = 9_999;
    const early = await store.tryLock("feeds", { clock, leaseSeconds: 10 });
    now = 10_000;
    const next = await store.tryLock("feeds", { clock, leaseSeconds: 10 });

    expect(early).toBeUndefined();
    expect(next).toBeDefined();
    await expect(dead?.renew()).rejects.toMatchObject({ code: "lock_lost" });
    await dead?.release();
    await expect(next?.renew()).resolves.toBeUndefined();
  });

  it("lets other work run between the writes of a transaction", async () => {
    await using store = await open(":memory:");
    let turns = 0;
    const ticking = setInterval(() => turns++, 0);

    await store.transaction(async (trx) => {
      for (let i = 0; i < 3_000; i++)
        await trx
          .insertInto("note")
          .values({ id: `${i}`, text: null, seen_at: 1 })
          .execute();
    });

    clearInterval(ticking);
    expect(turns).toBeGreaterThan(0);
  });
});

describe("openStore on PostgreSQL", () => {
  it("names the address without its password when nothing answers", async () => {
    await expect(open("postgres://user:secret@127.0.0.1:1/none")).rejects.toMatchObject({
      code: "cannot_open",
      message: expect.not.stringContaining("secret"),
    });
  });
});

describe("the file of an SQLite database", () => {
  it.each([
    [true, 1024 ** 3],
    [false, 0],
  ])("is mapped into memory or not for reads, and never for writes: %s", async (isMapped, mappedBytes) => {
    const folder = await mkdtemp(join(tmpdir(), "plimsoll-mapped-"));
    try {
      await using store = await openStore<StoreContractTables>(join(folder, "a.db"), { ...options, isMapped });
      const read = store.prepareRead("pragma mmap_size");
      const written = await sql<{ mmap_size: number }>`pragma mmap_size`.execute(store.db);
      expect([(await read())[0]?.[0], written.rows[0]?.mmap_size]).toEqual([mappedBytes, 0]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
