import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import type { TroubleWatch } from "../trouble.ts";
import { explainPostgres, noConnection } from "./postgres-errors.ts";

/** What {@link watchedPool} needs. */
export interface WatchedPoolOptions {
  /** Its connections are {@link DatedConnection}s. */
  readonly pool: pg.Pool;
  /** The database, fit for messages. */
  readonly shown: string;
  readonly trouble: TroubleWatch;
  readonly onStatement?: (text: string) => void;
}

/** A connection that knows when it began to open. */
export interface DatedConnection {
  /** In milliseconds of `performance.now()`. */
  readonly openedAt: number;
}

type PooledQuery = pg.QueryConfig & { readonly rowMode?: "array" };

/** A pool whose errors about the server as a whole are StoreErrors. A connection that broke is not used again. */
export interface WatchedPool extends PostgresPool {
  query<Row extends pg.QueryResultRow>(query: PooledQuery): Promise<pg.QueryResult<Row>>;
  /** Ends it once, however often it is called. */
  end(): Promise<void>;
}

/** Watches over the connections of a pool. */
export function watchedPool({ pool, ...options }: WatchedPoolOptions): WatchedPool {
  // An unhandled error event ends the process. Idle connections are the pool's; those that are checked out are not.
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  const { shown, trouble } = options;
  const take = () => {
    const askedAt = performance.now();
    return pool.connect().catch((error: unknown) => {
      const explained = noConnection(error, shown);
      trouble.failed(explained, askedAt);
      throw explained;
    });
  };
  let ended: Promise<void> | undefined;
  const connect = async () => new WatchedClient({ client: await take(), take, ...options });
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

/** A connection from when it is checked out until it is released. */
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

  /** The connection goes when it is released, and with it all that was prepared on it. */
  #runUnprepared({ text, values }: pg.QueryConfig, error: Error): Promise<pg.QueryResult> {
    this.#outdated = error;
    return this.#run({ text, ...(values && { values }) });
  }

  /** The connection had ended while it was idle: the server was restarted, for example. */
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

/** Whether a prepared statement gives other columns than when it was prepared: another process has migrated the database since. */
function isOfOldTables(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "0A000" && /\bcached plan\b/.test(error.message);
}

/** What changes nothing, or nothing yet. */
const repeatable = /^\s*(?:select|begin|start transaction)\b/i;

/** A connection that has ended already is noticed within this time. */
const staleMs = 1_000;

const writing: ReadonlySet<string> = new Set(["INSERT", "UPDATE", "DELETE"]);

/**
 * Whether the connection cannot be used after an error: the server has ended it, or did not answer. A late answer would be
 * taken for that of the next statement.
 */
function isEnd(error: unknown): boolean {
  if (!(error instanceof Error) || !("severity" in error)) return true;
  return error.severity === "FATAL" || error.severity === "PANIC";
}
