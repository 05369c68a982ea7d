import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Dialect, PostgresAdapter, PostgresDialect } from "kysely";
import pg from "pg";
import { StoreError } from "../errors.ts";
import type { JobEvents } from "../jobs/job-events.ts";
import type { PreparedRead, SqlRow } from "../store.ts";
import type { EngineAdapter } from "./engine-adapter.ts";
import { lockApplication } from "./postgres-locks.ts";
import type { DatedConnection, WatchedPool } from "./postgres-pool.ts";
import type { LookUp, Rows } from "./remembered-rows.ts";

/** The type number of `bigint`. @see https://github.com/postgres/postgres/blob/REL_15_STABLE/src/include/catalog/pg_type.dat */
const int8 = 20;

/** Instants and counts are `bigint` columns, and fit into a JavaScript number. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: "text" | "binary") =>
    id === int8 ? Number : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
};

/** Options of a PostgreSQL database. */
export interface PostgresOptions {
  /** The most open connections. 10 by default. */
  readonly poolSize?: number;
  /** How long a request waits for a connection. 10 by default. */
  readonly connectSeconds?: number;
  /** How long a statement may run. 60 by default. */
  readonly statementSeconds?: number;
  /** How long a statement waits for a lock. 30 by default. */
  readonly lockSeconds?: number;
}

/** How much longer than the server this side waits for a statement. It gives up when the server is frozen or the network is cut. */
const silenceMs = 5_000;

/**
 * Our statements read few rows. In a large database PostgreSQL overestimates some of them and compiles them first, which takes a second
 * instead of milliseconds.
 */
const serverOptions = "-c jit=off";

class DatedClient extends pg.Client implements DatedConnection {
  readonly openedAt: number = performance.now();
}

/** Creates a pool of connections. It connects at the first query. */
export function postgresPool(url: string, options: PostgresOptions = {}): pg.Pool {
  const { poolSize = 10, connectSeconds = 10, statementSeconds = 60, lockSeconds = 30 } = options;
  return new pg.Pool({
    connectionString: url,
    Client: DatedClient,
    types,
    max: poolSize,
    application_name: "plimsoll",
    options: serverOptions,
    connectionTimeoutMillis: connectSeconds * 1000,
    statement_timeout: statementSeconds * 1000,
    query_timeout: statementSeconds * 1000 + silenceMs,
    lock_timeout: lockSeconds * 1000,
    keepAlive: true,
  });
}

/** Creates a pool without timeouts, for migrations, which may take long in a large database. */
export function migrationPool(url: string): pg.Pool {
  return new pg.Pool({
    connectionString: url,
    Client: DatedClient,
    types,
    max: 2,
    application_name: "plimsoll migration",
  });
}

/** Creates a connection outside the pool. */
export function postgresClient(
  url: string,
  { connectSeconds = 10, statementSeconds = 60 }: PostgresOptions,
): pg.Client {
  return new pg.Client({
    connectionString: url,
    types,
    application_name: lockApplication(process.pid),
    connectionTimeoutMillis: connectSeconds * 1000,
    query_timeout: statementSeconds * 1000,
    keepAlive: true,
  });
}

/** The dialect for a pool. Destroying a used Kysely instance ends the pool. */
export function postgresDialect(pool: WatchedPool, jobEvents: JobEvents): Dialect {
  const dialect = new PostgresDialect({ pool });
  return {
    createAdapter: () => new PostgresEngineAdapter(pool, jobEvents),
    createDriver: () => dialect.createDriver(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

class PostgresEngineAdapter extends PostgresAdapter implements EngineAdapter {
  readonly joinsStatements = true;
  readonly jobEvents: JobEvents;
  readonly #pool: WatchedPool;
  readonly #names = new WeakMap<LookUp["query"], string>();

  constructor(pool: WatchedPool, jobEvents: JobEvents) {
    super();
    this.#pool = pool;
    this.jobEvents = jobEvents;
  }

  /** Runs a prepared statement, because planning a small query takes PostgreSQL several times longer than running it. */
  async lookUp({ query, parameters }: LookUp): Promise<Rows> {
    let name = this.#names.get(query);
    if (name === undefined) {
      name = statementName(query.sql);
      this.#names.set(query, name);
    }
    const { rows } = await this.#pool.query<Rows[number]>({ name, text: query.sql, values: [...parameters()] });
    return rows;
  }
}

/** The name of a prepared statement. */
function statementName(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** Declares a read that each connection prepares at its first use. */
export function preparePostgresRead(pool: WatchedPool, text: string): PreparedRead {
  const name = statementName(text);
  return async (...parameters) => {
    const result = await pool.query<SqlRow & unknown[]>({ name, text, values: [...parameters], rowMode: "array" });
    return result.rows;
  };
}

/** SQLSTATEs for a wrong address or password: waiting does not help. */
const wrongAddress = /^(?:28|3D|0L|42501)/;

/** How long `openStore` waits for a server that does not run yet. */
export interface StorePatience {
  readonly seconds: number;
  /** Called after each failed attempt. */
  readonly onRetry: (error: StoreError) => void;
  /** Ends the wait at once, even during an attempt; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

const retryMs = 1_000;

/**
 * Connects once, so that a wrong address is reported at once. It tries again if the server may be starting.
 * @throws StoreError `cannot_open`, or the reason of the signal that ended the wait
 */
export async function checkPostgres(pool: WatchedPool, shown: string, patience?: StorePatience): Promise<void> {
  const deadline = performance.now() + (patience?.seconds ?? 0) * 1000;
  for (;;) {
    try {
      await unlessAborted(() => pool.query({ text: "select 1" }), patience?.signal);
      return;
    } catch (error) {
      patience?.signal?.throwIfAborted();
      const cause = error instanceof StoreError ? error.cause : error;
      const state = (cause as { readonly code?: unknown } | undefined)?.code;
      const isHopeless = typeof state === "string" && wrongAddress.test(state);
      const isOver = performance.now() + retryMs > deadline;
      if (isHopeless || isOver || !(error instanceof StoreError)) throw cannotConnect(shown, cause);
      patience?.onRetry(error);
    }
    await delay(retryMs, undefined, { signal: patience?.signal }).catch(() => {});
  }
}

/** Waits for work, which goes on if the signal ends the wait. @throws the reason of the signal */
async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work();
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function cannotConnect(shown: string, cause: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  const message = `cannot connect to ${shown} (${reason}): check the address, and that the server runs`;
  return new StoreError("cannot_open", message, { cause });
}
