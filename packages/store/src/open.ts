import { statSync } from "node:fs";
import { dirname } from "node:path";
import { type Dialect, Kysely } from "kysely";
import type { PostgresOptions, StorePatience } from "./dialects/postgres.ts";
import { advisoryLocks } from "./dialects/postgres-locks.ts";
import { watchedPool } from "./dialects/postgres-pool.ts";
import { sqliteDialect } from "./dialects/sqlite.ts";
import { SqliteFile } from "./dialects/sqlite-file.ts";
import { type LockTables, leaseLocks, lockMigration } from "./dialects/sqlite-locks.ts";
import { updateStatistics } from "./dialects/sqlite-statistics.ts";
import type { LogDisk } from "./dialects/wal-frames.ts";
import { StoreError } from "./errors.ts";
import { JobEvents } from "./jobs/job-events.ts";
import { jobMigrations } from "./jobs/job-tables.ts";
import { parseStoreLocation } from "./location.ts";
import type { ClusterLocks } from "./locks.ts";
import { makeFolders } from "./make-folders.ts";
import { type MigrationSet, type MigrationTarget, migrate } from "./migrate.ts";
import type { PreparedRead, Store, StoreKind } from "./store.ts";
import { type OnTrouble, TroubleWatch } from "./trouble.ts";

/** Options of `openStore`. */
export interface OpenStoreOptions {
  /** The schemas of the services that use the database. */
  readonly migrations: readonly MigrationSet[];
  /** Nothing is created, migrated or written; no locks. */
  readonly readOnly?: boolean;
  /** Whether this process uses the database for long, as a server does: others are told, and what cannot be shared is refused. */
  readonly isServer?: boolean;
  /** Whether the beginning of an SQLite file is mapped into memory, as by default: good for look-ups, not for reading everything. */
  readonly isMapped?: boolean;
  /** Of PostgreSQL. */
  readonly postgres?: PostgresOptions;
  /** How long to wait for a PostgreSQL server that does not run yet; not at all where absent. */
  readonly patience?: StorePatience;
  readonly onTrouble?: OnTrouble;
  /** Told of each statement that the database is given, for tests that count them. */
  readonly onStatement?: (text: string) => void;
  /** Brings the log of an SQLite database to disk; for tests that look when. */
  readonly logDisk?: LogDisk;
  /** The file that a new SQLite database begins as, for tests that need many alike. */
  readonly image?: Uint8Array;
}

interface Engine {
  readonly kind: StoreKind;
  readonly location: string;
  readonly dialect: Dialect;
  /** Where there is a cheaper way to write. */
  readonly relaxedDialect?: Dialect;
  readonly prepareRead: (text: string) => PreparedRead;
  /** Where reads of one turn of the event loop share a transaction. */
  readonly seeLatest?: () => void;
  readonly beginRequest?: () => void;
  /** Where the engine does not do it by itself. */
  readonly optimize?: () => Promise<void>;
  readonly forgetSchema?: MigrationTarget["forgetSchema"];
  /** Closes the file, or the connections: whatever was asked, also where nothing was asked through the dialect. */
  close(): Promise<void>;
  /** A dialect without time-outs, where migrations need their own. */
  readonly migrationDialect?: () => Dialect;
  locks(db: Kysely<LockTables>): ClusterLocks;
}

/**
 * Opens the database at `sqlite:PATH`, a path, `:memory:` or `postgres://…` and migrates it. An SQLite file and its
 * folder are created when missing.
 * @throws StoreError
 * @example
 * import type { Kysely } from "kysely";
 *
 * interface Tables {
 *   readonly ship: { readonly id: string; readonly name: string };
 * }
 * const first: Migration = {
 *   name: "001-ships",
 *   up: (db: Kysely<unknown>) => db.schema.createTable("ship").addColumn("id", "text").addColumn("name", "text").execute(),
 * };
 * await using store = await openStore<Tables>("ships.db", { migrations: [{ service: "ships", migrations: [first] }] });
 * const ships = await store.db.selectFrom("ship").selectAll().execute();
 */
export async function openStore<DB>(location: string, options: OpenStoreOptions): Promise<Store<DB>> {
  const readOnly = options.readOnly ?? false;
  const jobEvents = new JobEvents();
  const engine = await openEngine(location, options, jobEvents);
  const db = new Kysely<DB>({ dialect: engine.dialect });
  const relaxed = engine.relaxedDialect && new Kysely<DB>({ dialect: engine.relaxedDialect });
  // The lock of a process that a power failure has ended needs no row.
  const locks = engine.locks((relaxed ?? db) as unknown as Kysely<LockTables>);
  const close = async () => {
    await locks.close();
    await relaxed?.destroy();
    await db.destroy();
    await engine.close();
  };
  try {
    if (options.isServer === true) locks.announce();
    const { kind, location: shown, prepareRead, forgetSchema } = engine;
    const shared = db as unknown as Kysely<unknown>;
    const openMigrationDb = () =>
      engine.migrationDialect && new Kysely<unknown>({ dialect: engine.migrationDialect() });
    const target = { db: shared, openMigrationDb, kind, prepareRead, location: shown, readOnly, forgetSchema };
    await migrate(target, [kernelMigrations, ...options.migrations]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: engine.kind,
    location: engine.location,
    db,
    relaxed: relaxed ?? db,
    transaction: (work) => jobEvents.transaction(db, work),
    prepareRead: engine.prepareRead,
    seeLatest: engine.seeLatest ?? (() => {}),
    beginRequest: engine.beginRequest ?? (() => {}),
    optimize: async () => engine.optimize?.(),
    tryLock: (name, lockOptions) => locks.tryLock(name, lockOptions),
    findLockHolder: (name) => locks.findHolder(name),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const kernelMigrations: MigrationSet = { service: "store", migrations: [lockMigration, ...jobMigrations] };

async function openEngine(text: string, options: OpenStoreOptions, jobEvents: JobEvents): Promise<Engine> {
  const location = parseStoreLocation(text);
  const trouble = new TroubleWatch(options.onTrouble);
  if (location.kind === "postgres") return openPostgres(location, options, { trouble, jobEvents });
  if (location.path !== ":memory:" && options.readOnly !== true) await makeFolder(location.path);
  const file = new SqliteFile(location.path, {
    readOnly: options.readOnly ?? false,
    isMapped: options.isMapped ?? true,
    trouble,
    ...(options.onStatement && { onStatement: options.onStatement }),
    ...(options.logDisk && { logDisk: options.logDisk }),
    ...(options.image && { image: options.image }),
  });
  return {
    kind: "sqlite",
    location: location.shown,
    dialect: sqliteDialect(file, { jobEvents }),
    relaxedDialect: sqliteDialect(file, { jobEvents, isRelaxed: true }),
    prepareRead: (query) => file.prepareRead(query),
    seeLatest: () => file.reads?.seeLatest(),
    beginRequest: () => file.reads?.beginRequest(),
    optimize: () => updateStatistics(file),
    forgetSchema: () => file.forgetSchema(),
    close: () => file.close(),
    locks: (db) => leaseLocks(db, location.path),
  };
}

/** For its user alone: a database may hold secrets. Most folders are there, and looking is cheaper than to fail to make one. */
async function makeFolder(path: string): Promise<void> {
  try {
    if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) return;
    await makeFolders(dirname(path));
  } catch (cause) {
    const message = `cannot create the folder of the database ${path}: check its permissions`;
    throw new StoreError("cannot_open", message, { cause });
  }
}

/** The PostgreSQL driver is loaded when it is needed: most databases are a file. */
async function openPostgres(
  { url, shown }: { readonly url: string; readonly shown: string },
  { postgres = {}, patience, onStatement }: OpenStoreOptions,
  { trouble, jobEvents }: { readonly trouble: TroubleWatch; readonly jobEvents: JobEvents },
): Promise<Engine> {
  const { checkPostgres, migrationPool, postgresClient, postgresDialect, postgresPool, preparePostgresRead } =
    await import("./dialects/postgres.ts");
  const watched = (pool: ReturnType<typeof postgresPool>) =>
    watchedPool({ pool, shown, trouble, ...(onStatement && { onStatement }) });
  const pool = watched(postgresPool(url, postgres));
  try {
    await checkPostgres(pool, shown, patience);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    kind: "postgres",
    location: shown,
    dialect: postgresDialect(pool, jobEvents),
    prepareRead: (query) => preparePostgresRead(pool, query),
    close: () => pool.end(),
    migrationDialect: () => postgresDialect(watched(migrationPool(url)), jobEvents),
    locks: () => advisoryLocks(() => postgresClient(url, postgres), shown),
  };
}
