import { open } from "node:fs/promises";

/**
 * Syncs a file, or the entries of a folder, to disk.
 * @throws system errors
 * @example
 * import { rename } from "node:fs/promises";
 *
 * await rename("backup.db.partial", "backup.db");
 * await syncPath("."); // the new name survives a power failure
 */
export async function syncPath(path: string): Promise<void> {
  await using file = await open(path, "r");
  await file.sync();
}
