import { cannotUse } from "./errors.ts";

/**
 * Does a write that nothing depends on, such as when something was last used. It is dropped while the database takes no writes:
 * a standby of a server that is being replaced, a full disk. Not for transactions, which PostgreSQL ends with the first error.
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
