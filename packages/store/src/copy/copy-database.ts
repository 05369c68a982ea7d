import { existsSync } from "node:fs";
import { chmod, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { cooperativeYield } from "../cooperative-yield.ts";
import { explainPostgres, noConnection } from "../dialects/postgres-errors.ts";
import { explainError, openReadOnly } from "../dialects/sqlite-connections.ts";
import { StoreError } from "../errors.ts";
import { parseStoreLocation, type StoreLocation } from "../location.ts";
import { syncPath } from "../make-folders.ts";
import type { MigrationSet } from "../migrate.ts";
import { openStore } from "../open.ts";
import { quoted } from "../quoted.ts";
import { explainedSnapshot, isOfOneDatabase, pageRows, type Row, type Snapshot } from "./snapshot.ts";

/** Options of {@link copyDatabase}. */
export interface CopyDatabaseOptions {
  /** The schemas of the services that use the database. */
  readonly migrations: readonly MigrationSet[];
  readonly signal?: AbortSignal;
}

/**
 * Copies a snapshot of a database, from SQLite or PostgreSQL to either, while other processes use it. The copy is complete, or does not
 * exist.
 * @param from a location as for `openStore`, with the current schema
 * @param to a new file, or a PostgreSQL database without rows
 * @returns the number of rows by table
 * @throws StoreError also `not_empty` if the target exists or has rows
 * @example
 * await copyDatabase("sqlite:data/plimsoll.db", "postgres://plimsoll@db/plimsoll", { migrations: [registryMigrations] });
 */
export async function copyDatabase(
  from: string,
  to: string,
  { migrations, signal }: CopyDatabaseOptions,
): Promise<ReadonlyMap<string, number>> {
  const [source, target] = [parseStoreLocation(from), parseStoreLocation(to)];
  await (await openStore(from, { migrations, readOnly: true })).close(); // rejects other schemas, and databases of other programs
  if (target.kind === "sqlite") return copyToFile(source, target.path, { migrations, signal });
  await (await openStore(to, { migrations })).close();
  return explained(target, () =>
    withClient(target, async (client) => {
      const { fillPostgres } = await import("./fill-postgres.ts");
      return withSnapshot(source, (snapshot) => fillPostgres(client, snapshot, { shown: target.shown, signal }));
    }),
  );
}

async function copyToFile(
  source: StoreLocation,
  path: string,
  { migrations, signal }: CopyDatabaseOptions,
): Promise<ReadonlyMap<string, number>> {
  if (existsSync(path)) throw new StoreError("not_empty", `${path} already exists: name a new file`);
  const partial = `${path}.partial`;
  await removeFile(partial);
  try {
    await (await openStore(`sqlite:${partial}`, { migrations })).close();
    const copied = await withSnapshot(source, (snapshot) =>
      explained({ kind: "sqlite", path, shown: path }, () => fillSqlite(partial, snapshot, signal)),
    );
    await chmod(partial, 0o600);
    await syncPath(partial);
    await rename(partial, path);
    await syncPath(dirname(path));
    return copied;
  } finally {
    await removeFile(partial);
  }
}

async function withSnapshot<T>(source: StoreLocation, use: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const explain = (error: unknown) => explainedBy(source, error);
  if (source.kind === "sqlite") {
    await using snapshot = explainedSnapshot(openSqliteSnapshot(source.path), explain);
    return await use(snapshot);
  }
  return withClient(source, async (client) => {
    const { openPostgresSnapshot } = await import("./postgres-snapshot.ts");
    await using snapshot = explainedSnapshot(await openPostgresSnapshot(client), explain);
    return await use(snapshot);
  });
}

type PostgresClient = ReturnType<typeof import("../dialects/postgres.ts").postgresClient>;

async function withClient<T>(
  { url, shown }: Extract<StoreLocation, { kind: "postgres" }>,
  use: (client: PostgresClient) => Promise<T>,
): Promise<T> {
  const { postgresClient } = await import("../dialects/postgres.ts");
  const client = postgresClient(url, { statementSeconds: 0 });
  client.on("error", () => {}); // the running query fails, too
  try {
    await client.connect();
  } catch (error) {
    throw noConnection(error, shown);
  }
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Runs work, and makes its errors name the database. */
async function explained<T>(target: StoreLocation, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainedBy(target, error);
  }
}

function explainedBy(location: StoreLocation, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  return location.kind === "sqlite" ? explainError(error, location.path) : explainPostgres(error, location.shown);
}

async function removeFile(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
}

/**
 * Copies all rows into a migrated SQLite file that no other process uses yet. After a crash the file is not usable.
 * @returns the number of rows by table
 */
async function fillSqlite(path: string, source: Snapshot, signal?: AbortSignal): Promise<ReadonlyMap<string, number>> {
  using db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec("pragma synchronous = off");
  const copied = new Map<string, number>();
  for (const table of tablesOf(db)) {
    if (isOfOneDatabase(table)) continue;
    copied.set(table, await fillTable(db, source, { table, signal }));
  }
  const broken = db.prepare("pragma foreign_key_check").get();
  if (broken !== undefined) throw new StoreError("corrupt", `a row of ${broken.table} refers to one that is missing`);
  db.exec("pragma optimize; pragma journal_mode = delete"); // one file without a log, readable on read-only media
  return copied;
}

async function fillTable(
  db: DatabaseSync,
  source: Snapshot,
  { table, signal }: { readonly table: string; readonly signal: AbortSignal | undefined },
): Promise<number> {
  let rows = 0;
  for await (const page of source.rows(table)) {
    signal?.throwIfAborted();
    const columns = Object.keys(page[0] ?? {});
    const insert = db.prepare(
      `insert into ${quoted(table)} (${columns.map(quoted).join(", ")}) values (${columns.map(() => "?").join(", ")})`,
    );
    db.exec("begin");
    for (const row of page) insert.run(...valuesOf(row, columns));
    db.exec("commit");
    rows += page.length;
  }
  return rows;
}

function valuesOf(row: Row, columns: readonly string[]) {
  return columns.map((column) => row[column] ?? null);
}

/** Opens a snapshot of an SQLite file as of now. The log of the file grows until the snapshot is disposed, because a read transaction is open. */
function openSqliteSnapshot(path: string): Snapshot {
  const db = openReadOnly(path, 0);
  db.exec("begin; select count(*) from sqlite_schema");
  const giveWay = cooperativeYield();
  return {
    async *rows(table) {
      let page: Row[] = [];
      for (const row of db.prepare(`select * from ${quoted(table)}`).iterate()) {
        page.push(row as Row);
        if (page.length < pageRows) continue;
        yield page;
        page = [];
        await giveWay();
      }
      if (page.length > 0) yield page;
    },
    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}

/** The tables of an SQLite database, without those of SQLite itself. */
function tablesOf(db: DatabaseSync): readonly string[] {
  const query =
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name";
  return db
    .prepare(query)
    .all()
    .map(({ name }) => String(name));
}
