import type { Kysely } from "kysely";
import { asLock, type ClusterLocks, lockLost } from "../locks.ts";
import type { Migration } from "../migrate.ts";
import { hasEnded, newLockOwner, parseLockOwner } from "./lock-owner.ts";

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

/**
 * Locks as rows with an expiry. The lock of a process that has ended is taken over at once where that can be told, and else
 * when its lease has run out.
 */
export function leaseLocks(db: Kysely<LockTables>): ClusterLocks {
  return {
    async tryLock(name, { clock, leaseSeconds }) {
      const owner = JSON.stringify(newLockOwner(clock.now()));
      const expiresAt = () => clock.now() + leaseSeconds * 1000;
      const row = { name, owner, expires_at: expiresAt() };
      const isTaken = (await takeFree(db, row, clock.now())) || (await takeFromDead(db, row));
      if (!isTaken) return undefined;
      return asLock(name, {
        renew: async () => {
          const update = db.updateTable("cluster_lock").set({ expires_at: expiresAt() });
          const [result] = await update.where("name", "=", name).where("owner", "=", owner).execute();
          if (result?.numUpdatedRows !== 1n) throw lockLost(name);
        },
        release: async () => {
          await db.deleteFrom("cluster_lock").where("name", "=", name).where("owner", "=", owner).execute();
        },
      });
    },
    async findHolder(name) {
      const { processId, since } = (await findOwner(db, name))?.owner ?? {};
      return { ...(processId !== undefined && { processId }), ...(since !== undefined && { since }) };
    },
    async close() {},
  };
}

type LockRow = LockTables["cluster_lock"];

async function takeFree(db: Kysely<LockTables>, row: LockRow, now: number): Promise<boolean> {
  const taken = await db
    .insertInto("cluster_lock")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet((update) => ({
          owner: update.ref("excluded.owner"),
          expires_at: update.ref("excluded.expires_at"),
        }))
        .where("cluster_lock.expires_at", "<=", now),
    )
    .returning("owner")
    .executeTakeFirst();
  return taken !== undefined;
}

/** Of several processes that see the same dead owner, one replaces it. */
async function takeFromDead(db: Kysely<LockTables>, { name, owner, expires_at }: LockRow): Promise<boolean> {
  const found = await findOwner(db, name);
  if (found?.owner === undefined || !hasEnded(found.owner)) return false;
  const [result] = await db
    .updateTable("cluster_lock")
    .set({ owner, expires_at })
    .where("name", "=", name)
    .where("owner", "=", found.text)
    .execute();
  return result?.numUpdatedRows === 1n;
}

async function findOwner(db: Kysely<LockTables>, name: string) {
  const row = await db.selectFrom("cluster_lock").select("owner").where("name", "=", name).executeTakeFirst();
  return row && { text: row.owner, owner: parseLockOwner(row.owner) };
}
