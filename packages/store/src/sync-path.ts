import { open } from "node:fs/promises";

/**
 * Brings a file, or the names in a folder, to disk.
 * @throws system errors
 * @example
 * import { rename } from "node:fs/promises";
 *
 * await rename("backup.db.partial", "backup.db");
 * await syncPath("."); // the new name outlives a power failure
 */
export async function syncPath(path: string): Promise<void> {
  await using file = await open(path, "r");
  await file.sync();
}
