import type pg from "pg";
import { asLock, type ClusterLocks, lockLost } from "../locks.ts";
import { explainPostgres, noConnection } from "./postgres-errors.ts";

/** Advisory locks of the PostgreSQL server. One connection holds all of them; it is opened for the first one. */
export function advisoryLocks(connect: () => pg.Client, shown: string): ClusterLocks {
  const sessions = new LockSessions(connect);
  const explain = (error: unknown) => {
    throw explainPostgres(error, shown);
  };
  const open = () =>
    sessions.get().catch((error: unknown) => {
      throw noConnection(error, shown);
    });
  return {
    async tryLock(name) {
      const session = await open();
      const isTaken = await session.tryLock(name).catch(explain);
      if (!isTaken) return undefined;
      return asLock(name, { renew: () => session.renew(name), release: () => session.unlock(name) });
    },
    async findHolder(name) {
      const session = await open();
      const application = await session.findHolder(name).catch(explain);
      const processId = Number(application?.slice(lockApplication("").length));
      return processId > 0 ? { processId } : {};
    },
    announce: () => {}, // machines may share the server
    close: () => sessions.close(),
  };
}

/** The application name of the connection that holds a process's locks. */
export function lockApplication(processId: number | ""): string {
  return `plimsoll locks ${processId}`;
}

/** `pg_locks` shows the number of a lock in two halves. */
const holderQuery = `select activity.application_name as application
  from pg_locks as held join pg_stat_activity as activity on activity.pid = held.pid
  where held.locktype = 'advisory' and held.granted and held.objsubid = 1
    and held.database = (select oid from pg_database where datname = current_database())
    and (held.classid::bigint << 32 | held.objid::bigint) = hashtextextended($1, 0)`;

/** The connection for locks. A broken one has lost all its locks; the next lock opens a new one. */
class LockSessions {
  readonly #connect: () => pg.Client;
  #current: Promise<LockSession> | undefined;

  constructor(connect: () => pg.Client) {
    this.#connect = connect;
  }

  async get(): Promise<LockSession> {
    this.#current ??= this.#open();
    return this.#current;
  }

  /** Opens a session. If it breaks, it is dropped, unless another one has replaced it already. */
  #open(): Promise<LockSession> {
    const forget = () => {
      if (this.#current === opening) this.#current = undefined;
    };
    const opening = LockSession.open(this.#connect(), forget);
    opening.catch(forget);
    return opening;
  }

  async close(): Promise<void> {
    const session = await this.#current?.catch(() => undefined);
    this.#current = undefined;
    await session?.end();
  }
}

interface LockAnswer {
  readonly done?: boolean;
  readonly application?: string;
}

class LockSession {
  readonly #client: pg.Client;
  /** The server would grant a session its own lock a second time, so held locks are recorded here. */
  readonly #held = new Set<string>();
  readonly #querying = new Mutex();
  readonly #onBroken: () => void;

  private constructor(client: pg.Client, onBroken: () => void) {
    this.#client = client;
    this.#onBroken = onBroken;
  }

  static async open(client: pg.Client, onBroken: () => void): Promise<LockSession> {
    const session = new LockSession(client, onBroken);
    client.on("error", () => session.#break());
    client.on("end", () => session.#break());
    await client.connect();
    return session;
  }

  async tryLock(name: string): Promise<boolean> {
    if (this.#held.has(name)) return false;
    this.#held.add(name);
    const [row] = await this.#query("select pg_try_advisory_lock(hashtextextended($1, 0)) as done", name).catch(
      (error: unknown) => {
        this.#held.delete(name);
        throw error;
      },
    );
    const taken = row?.done === true;
    if (!taken) this.#held.delete(name);
    return taken;
  }

  /** The application name of the connection that holds the lock. */
  async findHolder(name: string): Promise<string | undefined> {
    const [row] = await this.#query(holderQuery, name);
    return row?.application;
  }

  async renew(name: string): Promise<void> {
    if (!this.#held.has(name)) throw lockLost(name);
    await this.#query("select $1 = $1 as done", name).catch((cause: unknown) => {
      throw lockLost(name, cause);
    });
  }

  /** If the session breaks meanwhile, the lock is released, too. */
  async unlock(name: string): Promise<void> {
    if (!this.#held.has(name)) return;
    await this.#query("select pg_advisory_unlock(hashtextextended($1, 0)) as done", name).catch(() => {});
    this.#held.delete(name);
  }

  async end(): Promise<void> {
    this.#held.clear();
    await this.#client.end();
  }

  #break(): void {
    this.#held.clear();
    this.#onBroken();
  }

  async #query(text: string, name: string): Promise<readonly LockAnswer[]> {
    const release = await this.#querying.acquire();
    try {
      const { rows } = await this.#client.query<LockAnswer>(text, [name]);
      return rows;
    } catch (error) {
      // It is unknown whether the server granted the lock. Ending the session releases it in any case.
      this.#break();
      void this.#client.end().catch(() => {});
      throw error;
    } finally {
      release();
    }
  }
}

/** A lock within this process with one holder at a time. Waiting callers get it in the order of their calls. */
class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the mutex. Resolves to the function that releases it. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    const released = Promise.withResolvers<void>();
    this.#last = released.promise;
    await before;
    return released.resolve;
  }
}
