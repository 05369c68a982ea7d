import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MigrationSet } from "../migrate.ts";
import { openStore } from "../open.ts";
import type { Store } from "../store.ts";

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
