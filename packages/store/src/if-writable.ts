import { cannotUse } from "./errors.ts";

/**
 * Does an unimportant write, such as the time of a last use. It is skipped while the database cannot be used: during a failover, or if the
 * disk is full. Do not use it in a transaction, which PostgreSQL ends with the first error.
 * @example
 * import type { Kysely } from "kysely";
 *
 * declare const db: Kysely<{ readonly token: { readonly id: string; readonly last_used_at: number } }>;
 * const used = db.updateTable("token").set({ last_used_at: Date.now() }).where("id", "=", "1");
 * await ifWritable(() => used.execute());
 */
export async function ifWritable(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!cannotUse(error)) throw error;
  }
}
