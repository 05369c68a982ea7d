/**
 * Shows whether the process that holds a lock of an SQLite file still runs, even in another container. Each store that takes locks has its
 * own file beside the database, which it locks through the operating system. That lock ends with the process. Every process that can use
 * the database in WAL mode sees it, because such a database cannot be shared by several machines.
 * @see https://sqlite.org/wal.html
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { StoreError } from "../errors.ts";
import { asLock, type ClusterLocks, type LockHolder, lockLost } from "../locks.ts";
import type { BuildSchema } from "../schema-migration.ts";

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

/**
 * Identifies this machine: the kernel's boot id, or else the host name. Processes share the log of a database through memory, which works
 * between containers of one machine, but not between machines.
 */
const machine = createHash("sha256").update(bootId()).digest("hex").slice(0, 8);

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
  } catch {
    return hostname();
  }
}

/** A file that stays locked while this process runs. */
interface LifeSign {
  readonly id: string;
  close(): void;
}

const fileOf = (database: string, id: string) => `${database}-alive-${id}`;

/**
 * Creates and locks a life sign. Undefined if no file can be created: then nothing shows that this process runs.
 * @throws StoreError `locked` while a process of another machine uses the database
 */
function openLifeSign(database: string): LifeSign | undefined {
  if (database === ":memory:") return undefined;
  refuseOtherMachines(database);
  for (;;) {
    const id = `${machine}-${randomUUID()}`;
    const file = fileOf(database, id);
    const lock = lockFile(file);
    if (lock === "failed") return undefined;
    if (lock === "held by another" || !existsSync(file)) continue; // another process removed it before it was locked
    return { id, close: () => removeLocked(file, lock) };
  }
}

/** Ids of older versions do not contain their machine. */
function isOfOlderVersion(id: string): boolean {
  return id.split("-").length === 5;
}

/** Whether the process of a life sign has certainly ended. */
function hasEnded(database: string, id: string): boolean {
  const file = fileOf(database, id);
  if (!existsSync(file)) return true;
  const lock = lockFile(file);
  if (typeof lock === "string") return false;
  removeLocked(file, lock);
  return true;
}

/** Removes the files of killed processes. @throws StoreError `locked` if a process of another machine runs */
function refuseOtherMachines(database: string): void {
  const start = basename(fileOf(database, ""));
  for (const name of readdirSync(dirname(database))) {
    if (!name.startsWith(start)) continue;
    const id = name.slice(start.length);
    if (hasEnded(database, id) || id.startsWith(machine) || isOfOlderVersion(id)) continue;
    const remedy = "stop that one, or use PostgreSQL for several machines";
    const message = `${database} is used by a process of another machine, and machines cannot share an SQLite file: ${remedy}`;
    throw new StoreError("locked", message);
  }
}

/** Locks a file through SQLite, which knows the means of each system and separates the locks of one process. Nothing is written. */
function lockFile(file: string): DatabaseSync | "held by another" | "failed" {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec("pragma journal_mode = memory; begin exclusive"); // creates no other file
    return lock;
  } catch (error) {
    lock?.close();
    return (error as { readonly errcode?: number }).errcode === busy ? "held by another" : "failed";
  }
}

/** `SQLITE_BUSY`. @see https://sqlite.org/rescode.html#busy */
const busy = 5;

/** Removes a file while it is locked, so that no other process locks it; on systems that do not allow this, after closing it. */
function removeLocked(file: string, lock: DatabaseSync): void {
  remove(file);
  lock.close();
  remove(file);
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A later start removes it.
  }
}
