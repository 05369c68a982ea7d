import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { asLock, type ClusterLocks, lockLost } from "../locks.ts";
import type { Migration } from "../migrate.ts";

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
    async close() {},
  };
}
