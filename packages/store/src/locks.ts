import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type pg from "pg";
import { StoreError } from "./errors.ts";
import type { Migration } from "./migrate.ts";

/** How a lock is asked for. */
export interface LockOptions {
  readonly clock: { now(): number };
  /**
   * How long the lock of a process that died stays taken on SQLite; `renew` in half that time. On PostgreSQL the server
   * frees it as soon as the connection is gone.
   */
  readonly leaseSeconds: number;
}

/** A lock that is held. Release it, or declare it with `await using`. */
export interface ClusterLock extends AsyncDisposable {
  readonly name: string;
  /** Makes sure that the lock is still held and extends the lease. @throws StoreError `lock_lost` */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** Hands out the locks of one database. */
export interface ClusterLocks {
  tryLock(name: string, options: LockOptions): Promise<ClusterLock | undefined>;
  close(): Promise<void>;
}

/** The table behind {@link leaseLocks}. */
export interface LockTables {
  cluster_lock: { name: string; owner: string; expires_at: number };
}

/** Creates the table behind {@link leaseLocks}. */
export const lockMigration: Migration = {
  name: "0001-cluster-lock",
  async up(db) {
    await db.schema
      .createTable("cluster_lock")
      .addColumn("name", "text", (column) => column.primaryKey().notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
  },
};

/** Locks as rows with an expiry. */
export function leaseLocks(db: Kysely<LockTables>): ClusterLocks {
  return {
    async tryLock(name, { clock, leaseSeconds }) {
      const owner = randomUUID();
      const expiresAt = () => clock.now() + leaseSeconds * 1000;
      const taken = await db
        .insertInto("cluster_lock")
        .values({ name, owner, expires_at: expiresAt() })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet((row) => ({ owner: row.ref("excluded.owner"), expires_at: row.ref("excluded.expires_at") }))
            .where("cluster_lock.expires_at", "<=", clock.now()),
        )
        .returning("owner")
        .executeTakeFirst();
      if (taken === undefined) return undefined;
      const mine = { name, owner };
      return asLock(name, {
        renew: async () => {
          const update = db.updateTable("cluster_lock").set({ expires_at: expiresAt() });
          const [result] = await update.where("name", "=", name).where("owner", "=", owner).execute();
          if (result?.numUpdatedRows !== 1n) throw lost(name);
        },
        release: async () => {
          await db.deleteFrom("cluster_lock").where("name", "=", mine.name).where("owner", "=", mine.owner).execute();
        },
      });
    },
    async close() {},
  };
}

/** Locks of the PostgreSQL server, all held by one connection that is opened for the first of them. */
export function advisoryLocks(connect: () => pg.Client): ClusterLocks {
  const held = new Set<string>();
  let session: Promise<pg.Client> | undefined;

  async function open(): Promise<pg.Client> {
    const client = connect();
    // A broken connection has lost its locks: `renew` finds out, the next `tryLock` connects again.
    client.on("error", () => {
      session = undefined;
      held.clear();
    });
    await client.connect();
    return client;
  }

  return {
    async tryLock(name) {
      if (held.has(name)) return undefined;
      held.add(name);
      try {
        session ??= open();
        const client = await session;
        const mine = client;
        const { rows } = await client.query("select pg_try_advisory_lock(hashtextextended($1, 0)) as taken", [name]);
        if (rows[0]?.taken !== true) {
          held.delete(name);
          return undefined;
        }
        return asLock(name, {
          renew: async () => {
            if (!held.has(name) || (await session) !== mine) throw lost(name);
            await mine.query("select 1").catch((cause: unknown) => {
              throw lost(name, cause);
            });
          },
          release: async () => {
            if ((await session) !== mine) return;
            await mine.query("select pg_advisory_unlock(hashtextextended($1, 0))", [name]);
            held.delete(name);
          },
        });
      } catch (error) {
        held.delete(name);
        session = undefined;
        throw error;
      }
    },
    async close() {
      const client = await session;
      session = undefined;
      await client?.end();
    },
  };
}

function asLock(name: string, { renew, release }: Pick<ClusterLock, "renew" | "release">): ClusterLock {
  return { name, renew, release, [Symbol.asyncDispose]: release };
}

function lost(name: string, cause?: unknown): StoreError {
  return new StoreError("lock_lost", `the lock ${name} was lost: its lease ran out or the connection broke`, { cause });
}
