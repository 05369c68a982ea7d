import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** How long an interrupted download is kept for the next update. */
const maxAgeMs = 7 * 86_400_000;

/**
 * Deletes interrupted downloads that no update has resumed for a week, which are of feeds that are no longer fetched. Deletes the folder
 * too when it is empty; does nothing if it does not exist.
 * @param folder contains one folder per feed, see `downloads` of `createFeedReader`
 * @param now epoch milliseconds
 */
export async function expireDownloads(folder: string, now: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    const feed = join(folder, name);
    const files = (await namesIn(feed)).map((file) => join(feed, file));
    // An empty folder may be one that another process is about to write to.
    const times = await Promise.all((files.length > 0 ? files : [feed]).map(modifiedAt));
    if (times.every((time) => now - time > maxAgeMs)) await rm(feed, { recursive: true, force: true });
  }
  await rmdir(folder).catch(() => {}); // fails, and is kept, while it contains downloads
}

/** Empty if the folder does not exist, also because another process has just deleted it. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

async function modifiedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
