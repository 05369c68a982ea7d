import { mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode } from "./has-code.ts";

/**
 * Creates a folder and its missing parents, accessible only for the user. Several processes may do so at the same time. Node's own
 * `recursive` option never ends on a file system without real folders, such as `/proc`.
 * @returns the highest folder that was missing; undefined if the folder existed
 * @throws system errors: `ENOENT`, `EACCES`, or `EEXIST` if a file has the name
 * @example
 * const highest = await makeFolders("/var/lib/example/blobs");
 * console.log(highest === undefined ? "it existed" : `created ${highest} and its subfolders`);
 */
export async function makeFolders(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    if (await isFolder(folder)) return undefined;
    const isParentMissing = hasCode(error, "ENOENT");
    if (!isParentMissing || dirname(folder) === folder) throw error;
  }
  const highest = await makeFolders(dirname(folder));
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!(await isFolder(folder))) throw error;
  }
  return highest ?? folder;
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

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
