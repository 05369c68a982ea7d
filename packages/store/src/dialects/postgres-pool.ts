import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import type { TroubleWatch } from "../trouble.ts";
import { explainPostgres, noConnection } from "./postgres-errors.ts";

/** Options of {@link watchedPool}. */
export interface WatchedPoolOptions {
  /** Its connections are {@link DatedConnection}s. */
  readonly pool: pg.Pool;
  /** The location of the database for messages, without a password. */
  readonly shown: string;
  readonly trouble: TroubleWatch;
  readonly onStatement?: (text: string) => void;
}

/** A connection with the time when it began to open. */
export interface DatedConnection {
  /** In milliseconds of `performance.now()`. */
  readonly openedAt: number;
}

type PooledQuery = pg.QueryConfig & { readonly rowMode?: "array" };

/** A pool whose errors about the server as a whole are StoreErrors. It does not reuse a broken connection. */
export interface WatchedPool extends PostgresPool {
  query<Row extends pg.QueryResultRow>(query: PooledQuery): Promise<pg.QueryResult<Row>>;
  /** Ends the pool; may be called several times. */
  end(): Promise<void>;
}

/** Wraps a pool: it converts errors, records outages and drops broken connections. */
export function watchedPool({ pool, ...options }: WatchedPoolOptions): WatchedPool {
  // An unhandled error event ends the process. The pool emits those of idle connections, but not those of checked-out ones.
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  const { shown, trouble } = options;
  const checkOut = () => {
    const askedAt = performance.now();
    return pool.connect().catch((error: unknown) => {
      const explained = noConnection(error, shown);
      trouble.failed(explained, askedAt);
      throw explained;
    });
  };
  let ended: Promise<void> | undefined;
  const connect = async () => new WatchedClient({ client: await checkOut(), take: checkOut, ...options });
  return {
    options: pool.options,
    connect: connect as unknown as PostgresPool["connect"],
    async query<Row extends pg.QueryResultRow>(query: PooledQuery) {
      const client = await connect();
      try {
        return (await client.query(query)) as unknown as pg.QueryResult<Row>;
      } finally {
        client.release();
      }
    },
    end: () => {
      ended ??= pool.end();
      return ended;
    },
  };
}

interface WatchedClientOptions extends Omit<WatchedPoolOptions, "pool"> {
  readonly client: pg.PoolClient;
  readonly take: () => Promise<pg.PoolClient>;
}

/** A checked-out connection, until it is released. */
class WatchedClient implements Pick<PostgresPoolClient, "release"> {
  readonly #options: WatchedClientOptions;
  #client: pg.PoolClient;
  #isFresh = true;
  #isReleased = false;
  /** Why the connection cannot be used any more. */
  #broken: Error | undefined;
  /** Why its prepared statements cannot be used any more. */
  #outdated: Error | undefined;

  constructor(options: WatchedClientOptions) {
    this.#options = options;
    this.#client = options.client;
  }

  get processID(): number | undefined {
    return (this.#client as { processID?: number }).processID;
  }

  async query(query: string | PooledQuery, values?: readonly unknown[]): Promise<pg.QueryResult> {
    if (this.#broken !== undefined) throw this.#broken;
    const config = typeof query === "string" ? { text: query, values: [...(values ?? [])] } : query;
    const mayRepeat = this.#isFresh && repeatable.test(config.text);
    this.#isFresh = false;
    const begunMs = performance.now();
    try {
      return await this.#run(config);
    } catch (error) {
      const isStale = this.#broken !== undefined && performance.now() - begunMs < staleMs;
      if (!mayRepeat || !isStale) throw this.#failed(error);
    }
    return this.#runAnew(config);
  }

  release(): void {
    if (!this.#isReleased) this.#client.release(this.#broken ?? this.#outdated);
    this.#isReleased = true;
  }

  async #run(config: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      this.#options.onStatement?.(config.text);
      const result = await this.#client.query(config);
      this.#options.trouble.worked(writing.has(result.command) ? "wrote" : "read", openedAt(this.#client));
      return result;
    } catch (error) {
      if (config.name !== undefined && isOfOldTables(error)) return this.#runUnprepared(config, error);
      const explained = explainPostgres(error, this.#options.shown);
      if (explained !== error && isEnd(error)) this.#broken = explained as Error;
      throw explained;
    }
  }

  /** Runs a statement unprepared. When the connection is released, it is closed with its outdated prepared statements. */
  #runUnprepared({ text, values }: pg.QueryConfig, error: Error): Promise<pg.QueryResult> {
    this.#outdated = error;
    return this.#run({ text, values });
  }

  /** Runs a statement on a new connection, because the old one had ended while it was idle: after a restart of the server, for example. */
  async #runAnew(config: pg.QueryConfig): Promise<pg.QueryResult> {
    this.release();
    this.#client = await this.#options.take();
    this.#isReleased = false;
    this.#broken = undefined;
    try {
      return await this.#run(config);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): unknown {
    this.#options.trouble.failed(error, openedAt(this.#client));
    return error;
  }
}

function openedAt(client: pg.PoolClient & Partial<DatedConnection>): number | undefined {
  return client.openedAt;
}

/** Whether a prepared statement is outdated, because another process has migrated the database since it was prepared. */
function isOfOldTables(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "0A000" && /\bcached plan\b/.test(error.message);
}

/** Statements that change nothing, or nothing yet. */
const repeatable = /^\s*(?:select|begin|start transaction)\b/i;

/** A statement on a connection that had already ended fails within this time. */
const staleMs = 1_000;

const writing: ReadonlySet<string> = new Set(["INSERT", "UPDATE", "DELETE"]);

/**
 * Whether the connection cannot be used after an error: the server has closed it, or did not answer. A late response would be taken for
 * that of the next statement.
 */
function isEnd(error: unknown): boolean {
  if (!(error instanceof Error) || !("severity" in error)) return true;
  return error.severity === "FATAL" || error.severity === "PANIC";
}
