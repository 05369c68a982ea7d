import { sql } from "kysely";
import { lockNamespace } from "../access/queries.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { type KeptLimit, KeptLimitReached, type KeptMosts, type KeptName, keptLimits } from "./kept-limits.ts";

/** Locks the owner of rows until the transaction ends. The statements change no value. */
export async function lockOwner(db: RegistryDb, per: KeptLimit["per"], ownerId: string): Promise<void> {
  switch (per) {
    case "namespace":
    case "user":
      return lockNamespace(db, ownerId);
    case "repository":
      await db
        .updateTable("image_repository")
        .set(({ ref }) => ({ state: ref("state") }))
        .where("id", "=", ownerId)
        .execute();
      return;
    case "team":
      await db
        .updateTable("team")
        .set(({ ref }) => ({ role: ref("role") }))
        .where("id", "=", ownerId)
        .execute();
  }
}

/** How many rows of a kind an owner has, counted up to a number. */
export async function countOwned(db: RegistryDb, limit: KeptLimit, counted: Counted): Promise<number> {
  const { rows } = await countingOwned(limit, counted).execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** The owner, and the number up to which rows are counted. */
export interface Counted {
  readonly ownerId: string;
  readonly upTo: number;
}

/** The statement of {@link countOwned}. */
export function countingOwned({ table, owner, unlessState }: KeptLimit, { ownerId, upTo }: Counted) {
  const isOwned = sql.join(
    owner.map((column) => sql`${sql.ref(column)} = ${ownerId}`),
    sql` or `,
  );
  const isKept = unlessState === undefined ? sql`` : sql` and state <> ${sql.lit(unlessState)}`;
  return sql<{ readonly count: number }>`select count(*) as count from (
    select 1 from ${sql.table(table)} where (${isOwned})${isKept} limit ${upTo}) as counted`;
}

/** The limit, the owner, and the limits in force. */
export interface KeptOf {
  readonly name: KeptName;
  readonly ownerId: string;
  readonly mosts: KeptMosts;
}

/**
 * Checks a limit after rows were added. Must run in their transaction, at its end: it locks the owner, so that several such transactions
 * together do not exceed the limit.
 * @throws KeptLimitReached
 */
export async function checkKept(db: RegistryDb, { name, ownerId, mosts }: KeptOf): Promise<void> {
  const most = mosts[name];
  const limit: KeptLimit = keptLimits[name];
  await lockOwner(db, limit.per, ownerId);
  if ((await countOwned(db, limit, { ownerId, upTo: most + 1 })) > most) throw new KeptLimitReached(name, most);
}
