import { type Dialect, Kysely } from "kysely";
import { advisoryLocks } from "./dialects/postgres-locks.ts";
import { sqliteDialect } from "./dialects/sqlite.ts";
import { SqliteFile } from "./dialects/sqlite-file.ts";
import { type LockTables, leaseLocks, lockMigration } from "./dialects/sqlite-locks.ts";
import { jobMigration } from "./jobs/job-tables.ts";
import { parseStoreLocation } from "./location.ts";
import type { ClusterLocks } from "./locks.ts";
import { type MigrationSet, migrate } from "./migrate.ts";
import type { PreparedRead, Store, StoreKind } from "./store.ts";

/** What a store is opened with. */
export interface OpenStoreOptions {
  /** The schemas of the services that use the database. */
  readonly migrations: readonly MigrationSet[];
  /** Nothing is created, migrated or written; no locks. */
  readonly readOnly?: boolean;
}

interface Engine {
  readonly kind: StoreKind;
  readonly location: string;
  readonly dialect: Dialect;
  readonly prepareRead: (text: string) => PreparedRead;
  locks(db: Kysely<LockTables>): ClusterLocks;
}

/**
 * Opens the database at `sqlite:PATH`, a path, `:memory:` or `postgres://…` and migrates it. An SQLite file and its
 * folder are created when missing.
 * @throws StoreError
 */
export async function openStore<DB>(location: string, options: OpenStoreOptions): Promise<Store<DB>> {
  const readOnly = options.readOnly ?? false;
  const engine = await openEngine(location, readOnly);
  const db = new Kysely<DB>({ dialect: engine.dialect });
  const locks = engine.locks(db as unknown as Kysely<LockTables>);
  const close = async () => {
    await locks.close();
    await db.destroy();
  };
  try {
    const { kind, location: shown, prepareRead } = engine;
    const target = { db: db as unknown as Kysely<unknown>, kind, prepareRead, location: shown, readOnly };
    await migrate(target, [kernelMigrations, ...options.migrations]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: engine.kind,
    location: engine.location,
    db,
    transaction: (work) => db.transaction().execute(work),
    prepareRead: engine.prepareRead,
    tryLock: (name, lockOptions) => locks.tryLock(name, lockOptions),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const kernelMigrations: MigrationSet = { service: "store", migrations: [lockMigration, jobMigration] };

async function openEngine(text: string, readOnly: boolean): Promise<Engine> {
  const location = parseStoreLocation(text);
  if (location.kind === "postgres") return openPostgres(location.url, location.shown);
  const file = new SqliteFile(location.path, readOnly);
  return {
    kind: "sqlite",
    location: location.shown,
    dialect: sqliteDialect(file),
    prepareRead: (query) => file.prepareRead(query),
    locks: leaseLocks,
  };
}

/** The PostgreSQL driver is loaded when it is needed: most databases are a file. */
async function openPostgres(url: string, shown: string): Promise<Engine> {
  const { checkPostgres, postgresClient, postgresDialect, postgresPool, preparePostgresRead } = await import(
    "./dialects/postgres.ts"
  );
  const pool = postgresPool(url);
  try {
    await checkPostgres(pool, shown);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    kind: "postgres",
    location: shown,
    dialect: postgresDialect(pool),
    prepareRead: (query) => preparePostgresRead(pool, query),
    locks: () => advisoryLocks(() => postgresClient(url)),
  };
}
