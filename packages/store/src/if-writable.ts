import { cannotUse } from "./errors.ts";

/**
 * Does a write that nothing depends on, such as when something was last used. It is dropped while the database takes no writes:
 * a standby of a server that is being replaced, a full disk. Not for transactions, which PostgreSQL ends with the first error.
 */
export async function ifWritable(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!cannotUse(error)) throw error;
  }
}
