import { RegistryError } from "../errors.ts";
import { type BlobStore, isLostBlob } from "../ports/blob-store.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { readArchivedEntries } from "./archive-logs.ts";
import { type BuildLogArchiveRow, findLogArchive } from "./queries/log-archives.ts";
import { countLogEntries, readLogEntries } from "./queries.ts";

/** The database and the blob store with logs. */
export interface BuildLogContext {
  readonly db: RegistryDb;
  readonly blobs?: Pick<BlobStore, "read">;
}

/** The most entries in one response. */
const maxEntries = 5000;

/**
 * The entries of a build's log from the position `start` on, and their `total`. The log may be in the database or in the blob store.
 * @throws RegistryError `invalid_response` if the file of the log is missing or damaged; BlobStoreError
 */
export async function readBuildLog({ db, blobs }: BuildLogContext, buildId: string, start: number) {
  const stretch = { start, limit: maxEntries };
  const total = await countLogEntries(db, buildId);
  const entries = await readLogEntries(db, buildId, stretch);
  // Read after the entries: the log may be archived meanwhile.
  const archive = entries.length === 0 ? await findLogArchive(db, buildId) : undefined;
  if (archive?.state !== "archived" || blobs === undefined) return { start, total, logs: parsed(entries) };
  return { start, total: archive.entries, logs: parsed(await archivedEntries(blobs, archive, stretch)) };
}

function parsed(entries: readonly string[]): Record<string, unknown>[] {
  return entries.map((entry) => JSON.parse(entry));
}

async function archivedEntries(
  blobs: Pick<BlobStore, "read">,
  archive: BuildLogArchiveRow,
  stretch: { readonly start: number; readonly limit: number },
): Promise<readonly string[]> {
  try {
    return await readArchivedEntries(blobs, archive, stretch);
  } catch (error) {
    if (!isLostBlob(error)) throw error;
    throw new RegistryError("invalid_response", "The archived log of the build is missing", { cause: error });
  }
}
