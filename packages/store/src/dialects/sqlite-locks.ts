import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { asLock, type ClusterLocks, type LockHolder, lockLost } from "../locks.ts";
import type { BuildSchema } from "../schema-migration.ts";
import { hasEnded, type LifeSign, openLifeSign } from "./life-sign.ts";

/** The rows of {@link lockSchema}. */
export interface LockTables {
  cluster_lock: { name: string; owner: string; expires_at: number };
}

/** The table behind {@link leaseLocks}. */
export const lockSchema: BuildSchema = ({ schema, notNull, primaryKey }) => [
  schema
    .createTable("cluster_lock")
    .addColumn("name", "text", primaryKey)
    .addColumn("owner", "text", notNull)
    .addColumn("expires_at", "bigint", notNull),
];

/**
 * Locks as rows with an expiry. The lock of an ended process is free at once, and that of a hanging process when its lease has expired.
 * @param database the path of its file, or `:memory:`
 */
export function leaseLocks(db: Kysely<LockTables>, database: string): ClusterLocks {
  let sign: LifeSign | undefined;
  return {
    async tryLock(name, { clock, leaseSeconds }) {
      sign ??= openLifeSign(database);
      const owner = JSON.stringify(newOwner(clock.now(), sign));
      const expiresAt = () => clock.now() + leaseSeconds * 1000;
      const row = { name, owner, expires_at: expiresAt() };
      const isTaken = (await claimFree(db, row, clock.now())) || (await claimFromDead(db, row, database));
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
      const { processId, since } = (await findOwner(db, name))?.owner ?? ({} as LockHolder);
      return { processId, since };
    },
    announce() {
      sign ??= openLifeSign(database);
    },
    async close() {
      sign?.close();
      sign = undefined;
    },
  };
}

/** The owner in a lock's row. */
interface LockOwner extends LockHolder {
  /** Distinguishes the locks of one process. */
  readonly id: string;
  /** Absent if the process could not create one. */
  readonly lifeSign?: string;
}

function newOwner(since: number, sign: LifeSign | undefined): LockOwner {
  return { id: randomUUID(), processId: process.pid, since, lifeSign: sign?.id };
}

type LockRow = LockTables["cluster_lock"];

async function claimFree(db: Kysely<LockTables>, row: LockRow, now: number): Promise<boolean> {
  const claimed = await db
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
  return claimed !== undefined;
}

/** Takes the lock of an ended process. Of several processes that try, only one succeeds. */
async function claimFromDead(
  db: Kysely<LockTables>,
  { name, owner, expires_at }: LockRow,
  database: string,
): Promise<boolean> {
  const found = await findOwner(db, name);
  const lifeSign = found?.owner.lifeSign;
  if (found === undefined || lifeSign === undefined || !hasEnded(database, lifeSign)) return false;
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
  return row && { text: row.owner, owner: JSON.parse(row.owner) as LockOwner };
}
