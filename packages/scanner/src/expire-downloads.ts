import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** How long a download that was cut off waits for the next update. */
const maxAgeMs = 7 * 86_400_000;

/**
 * Removes the downloads that no update has gone on with for a week: of feeds that are no longer fetched. The folder itself goes
 * when nothing is left in it; without it there is nothing to do.
 * @param folder one folder a feed, see `downloads` of `createFeedReader`
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
  await rmdir(folder).catch(() => {}); // stays as long as a download is to go on
}

/** None where there is no such folder, or another process has just removed it. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

async function modifiedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
