import { statSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Dialect, Kysely } from "kysely";
import type { PostgresOptions, StorePatience } from "./dialects/postgres.ts";
import { advisoryLocks } from "./dialects/postgres-locks.ts";
import { watchedPool } from "./dialects/postgres-pool.ts";
import { sqliteDialect } from "./dialects/sqlite.ts";
import { SqliteFile } from "./dialects/sqlite-file.ts";
import { type LockTables, leaseLocks, lockSchema } from "./dialects/sqlite-locks.ts";
import type { LogDisk } from "./dialects/wal-frames.ts";
import { StoreError } from "./errors.ts";
import { JobEvents } from "./jobs/job-events.ts";
import { jobSchema } from "./jobs/job-tables.ts";
import { parseStoreLocation } from "./location.ts";
import type { ClusterLocks } from "./locks.ts";
import { makeFolders } from "./make-folders.ts";
import { type MigrationSet, type MigrationTarget, migrate } from "./migrate.ts";
import { schemaMigration } from "./schema-migration.ts";
import type { PreparedRead, Store, StoreKind } from "./store.ts";
import { type OnTrouble, TroubleWatch } from "./trouble.ts";

/** Options of `openStore`. */
export interface OpenStoreOptions {
  /** The schemas of the services that use the database. */
  readonly migrations: readonly MigrationSet[];
  /** Whether nothing is created, migrated or written. Locks cannot be taken. */
  readonly readOnly?: boolean;
  /** Whether this process is a server. It then announces itself, and an SQLite file that a process of another machine uses is rejected. */
  readonly isServer?: boolean;
  /** Whether an SQLite file is mapped into memory. True by default: good for small queries, but not for reading everything. */
  readonly isMapped?: boolean;
  /** Options of PostgreSQL. */
  readonly postgres?: PostgresOptions;
  /** How long to wait for a PostgreSQL server that does not run yet; by default not at all. */
  readonly patience?: StorePatience;
  readonly onTrouble?: OnTrouble;
  /** Called for each statement, for tests that count them. */
  readonly onStatement?: (text: string) => void;
  /** Writes the log of an SQLite database to disk; for tests that observe it. */
  readonly logDisk?: LogDisk;
  /** The initial content of a new SQLite database, for tests that need many equal ones. */
  readonly image?: Uint8Array;
}

interface Engine {
  readonly kind: StoreKind;
  readonly location: string;
  readonly dialect: Dialect;
  /** The dialect for relaxed writes, if the engine has one. */
  readonly relaxedDialect?: Dialect;
  readonly prepareRead: (text: string) => PreparedRead;
  /** Present if reads of one turn of the event loop share a transaction. */
  readonly seeLatest?: () => void;
  readonly beginRequest?: () => void;
  /** Present if the engine does not update its statistics itself. */
  readonly optimize?: () => Promise<void>;
  readonly reloadSchema?: MigrationTarget["reloadSchema"];
  /** Closes the file or the connections, even if the dialect was never used. */
  close(): Promise<void>;
  /** A dialect without timeouts for migrations, if they need their own. */
  readonly migrationDialect?: () => Dialect;
  locks(db: Kysely<LockTables>): ClusterLocks;
}

/**
 * Opens the database at `sqlite:PATH`, a path, `:memory:` or `postgres://…` and migrates it. An SQLite file and its
 * folder are created if they are missing.
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
  // After a power failure the rows of locks are not needed, so relaxed writes suffice.
  const locks = engine.locks((relaxed ?? db) as unknown as Kysely<LockTables>);
  const close = async () => {
    await locks.close();
    await relaxed?.destroy();
    await db.destroy();
    await engine.close();
  };
  try {
    if (options.isServer === true) locks.announce();
    const { kind, location: shown, prepareRead, reloadSchema } = engine;
    const shared = db as unknown as Kysely<unknown>;
    const openMigrationDb = () =>
      engine.migrationDialect && new Kysely<unknown>({ dialect: engine.migrationDialect() });
    const target = { db: shared, openMigrationDb, kind, prepareRead, location: shown, readOnly, reloadSchema };
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

/** What every store has. */
const kernelMigrations: MigrationSet = {
  service: "store",
  migrations: [schemaMigration("0001-schema", lockSchema, jobSchema)],
  replaces: [
    {
      names: ["0001-cluster-lock", "0002-jobs", "0003-jobs-by-kind", "0004-job-losses", "0005-jobs-by-kind-and-id"],
    },
  ],
};

async function openEngine(text: string, options: OpenStoreOptions, jobEvents: JobEvents): Promise<Engine> {
  const location = parseStoreLocation(text);
  const trouble = new TroubleWatch(options.onTrouble);
  if (location.kind === "postgres") return openPostgres(location, options, { trouble, jobEvents });
  if (location.path !== ":memory:" && options.readOnly !== true) await makeFolder(location.path);
  const file = new SqliteFile(location.path, {
    readOnly: options.readOnly ?? false,
    isMapped: options.isMapped ?? true,
    trouble,
    onStatement: options.onStatement,
    logDisk: options.logDisk,
    image: options.image,
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
    reloadSchema: () => file.reloadSchema(),
    close: () => file.close(),
    locks: (db) => leaseLocks(db, location.path),
  };
}

/** Creates the folder for the user only, because a database may contain secrets. Most folders exist, which is cheaper to check first. */
async function makeFolder(path: string): Promise<void> {
  try {
    if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) return;
    await makeFolders(dirname(path));
  } catch (cause) {
    const message = `cannot create the folder of the database ${path}: check its permissions`;
    throw new StoreError("cannot_open", message, { cause });
  }
}

/** Opens a PostgreSQL database. Its driver is loaded only here, because most databases are a file. */
async function openPostgres(
  { url, shown }: { readonly url: string; readonly shown: string },
  { postgres = {}, patience, onStatement }: OpenStoreOptions,
  { trouble, jobEvents }: { readonly trouble: TroubleWatch; readonly jobEvents: JobEvents },
): Promise<Engine> {
  const { checkPostgres, migrationPool, postgresClient, postgresDialect, postgresPool, preparePostgresRead } =
    await import("./dialects/postgres.ts");
  const watched = (pool: ReturnType<typeof postgresPool>) => watchedPool({ pool, shown, trouble, onStatement });
  const pool = watched(postgresPool(url, postgres));
  try {
    await checkPostgres(pool, shown, patience);
  } catch (error) {
    const ended = pool.end();
    if (patience?.signal?.aborted !== true) await ended; // an attempt that was left may take until its time limit
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

/** The rows of each index that are analysed, which takes about a millisecond for an index. */
const analysedRows = 300;

/**
 * `1`: list the statements instead of running them; `2`: tables whose size differs from their statistics; `0x10000`: also tables that this
 * connection has not read, because reads use another one. @see https://sqlite.org/pragma.html#pragma_optimize
 */
const dueTables = "pragma optimize(0x10003)";

/**
 * Updates the statistics of the query planner, for tables without any, and tables that have become ten times larger or smaller. It handles
 * one table at a time, so that other work can run in between. Results are correct without statistics, so errors of the database are ignored.
 */
async function updateStatistics(file: SqliteFile): Promise<void> {
  if (file.readOnly) return;
  try {
    const due = await withWriter(file, () => file.writer.prepare(dueTables).all());
    for (const { optimize: statement } of due) {
      await nextTurn();
      await withWriter(file, () => file.writer.exec(`pragma analysis_limit = ${analysedRows}; ${statement}`));
    }
    if (due.length > 0) file.reads?.reopen(); // a connection reads statistics when it is opened
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Runs work with exclusive use of the connection that writes. */
async function withWriter<T>(file: SqliteFile, work: () => T): Promise<T> {
  const turn = await file.writing.acquire();
  try {
    return await file.whenUnlocked(() => file.guard(work));
  } finally {
    file.reads?.seeLatest();
    turn.release();
  }
}
