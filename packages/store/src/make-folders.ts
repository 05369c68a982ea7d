import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode } from "./has-code.ts";

/**
 * Makes a folder, and those above it that are missing, for its user alone. Several may do it at the same time. Node's own way
 * (`recursive`) never ends on a file system that takes no folders, such as `/proc`.
 * @returns the highest folder that was missing; undefined where the folder was there
 * @throws the system's error, as `ENOENT`, `EACCES` or `EEXIST` where a file has the name
 * @example
 * const highest = await makeFolders("/var/lib/example/blobs");
 * console.log(highest === undefined ? "it was there" : `made ${highest} and what is below`);
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
