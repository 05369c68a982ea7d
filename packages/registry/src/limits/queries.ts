import { sql } from "kysely";
import { lockNamespace } from "../access/queries.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** A kind of rows that a tenant makes the registry keep, and how many of them an owner may have. */
export interface KeptLimit {
  /** The kind of the owner, for the message. */
  readonly per: "namespace" | "repository" | "team" | "user";
  /** The default of the setting `keptLimits`. */
  readonly most: number;
  /** The name of the rows in messages. */
  readonly what: string;
  readonly table: string;
  /** What makes room for more, if deleting some is not enough. */
  readonly remedy?: string;
  /** The columns of the owner's id; of several, one has it. */
  readonly owner: readonly string[];
  /** A condition that other rows do not meet: they are waiting to be removed. */
  readonly unlessState?: "deleted";
}

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
