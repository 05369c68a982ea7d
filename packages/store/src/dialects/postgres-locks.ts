import type pg from "pg";
import { asLock, type ClusterLocks, lockLost } from "../locks.ts";
import { Mutex } from "./mutex.ts";

/** Locks of the PostgreSQL server, all held by one connection that is opened for the first of them. */
export function advisoryLocks(connect: () => pg.Client): ClusterLocks {
  const sessions = new LockSessions(connect);
  return {
    async tryLock(name) {
      const session = await sessions.get();
      if (!(await session.take(name))) return undefined;
      return asLock(name, { renew: () => session.renew(name), release: () => session.free(name) });
    },
    close: () => sessions.close(),
  };
}

/** The connection of the locks; a broken one has lost them all, and the next lock gets a new one. */
class LockSessions {
  readonly #connect: () => pg.Client;
  #current: Promise<LockSession> | undefined;

  constructor(connect: () => pg.Client) {
    this.#connect = connect;
  }

  async get(): Promise<LockSession> {
    const forget = () => {
      this.#current = undefined;
    };
    this.#current ??= LockSession.open(this.#connect(), forget);
    try {
      return await this.#current;
    } catch (error) {
      forget();
      throw error;
    }
  }

  async close(): Promise<void> {
    const session = await this.#current;
    this.#current = undefined;
    await session?.end();
  }
}

class LockSession {
  readonly #client: pg.Client;
  /** The server gives a session a lock that it holds already once more: so we remember. */
  readonly #held = new Set<string>();
  readonly #querying = new Mutex();

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(client: pg.Client, onBroken: () => void): Promise<LockSession> {
    const session = new LockSession(client);
    client.on("error", () => {
      session.#held.clear();
      onBroken();
    });
    await client.connect();
    return session;
  }

  async take(name: string): Promise<boolean> {
    if (this.#held.has(name)) return false;
    this.#held.add(name);
    const taken = await this.#query("select pg_try_advisory_lock(hashtextextended($1, 0)) as done", name).catch(
      (error: unknown) => {
        this.#held.delete(name);
        throw error;
      },
    );
    if (!taken) this.#held.delete(name);
    return taken;
  }

  async renew(name: string): Promise<void> {
    if (!this.#held.has(name)) throw lockLost(name);
    await this.#query("select $1 = $1 as done", name).catch((cause: unknown) => {
      throw lockLost(name, cause);
    });
  }

  async free(name: string): Promise<void> {
    if (!this.#held.has(name)) return;
    await this.#query("select pg_advisory_unlock(hashtextextended($1, 0)) as done", name);
    this.#held.delete(name);
  }

  async end(): Promise<void> {
    this.#held.clear();
    await this.#client.end();
  }

  async #query(text: string, name: string): Promise<boolean> {
    const endTurn = await this.#querying.acquire();
    try {
      const { rows } = await this.#client.query(text, [name]);
      return rows[0]?.done === true;
    } finally {
      endTurn();
    }
  }
}
