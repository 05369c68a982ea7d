import { createHash, randomUUID } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { constants, createGunzip, gzip } from "node:zlib";
import { parseDigest } from "@plimsoll/core/digest";
import type { Deps } from "../deps.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { RegistrySettings } from "../settings.ts";
import { readPages } from "../store/bounded-reads.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import {
  discardArchive,
  findUnfinishedArchive,
  finishArchive,
  insertArchive,
  type LogArchiveRow,
  LogEntriesChanged,
  listArchives,
  listEntriesIn,
  listOldEntries,
  type StoredLogEntry,
} from "./queries/log-exports.ts";
import { countLogHours } from "./queries/usage-log.ts";

/** What {@link archiveLog} needs. */
export interface LogArchiveDeps extends Pick<Deps, "store" | "blobs" | "clock"> {
  readonly settings: Pick<RegistrySettings, "logRetentionDays">;
}

/** The most entries of a part. */
export const entriesPerArchive = 5000;

const dayMs = 86_400_000;

/** Never reached: the entries of a part are smaller than this, since an entry is smaller than a request. */
const maxArchiveBytes = 1024 ** 3;

/**
 * Moves the entries of the usage log that are older than the retention into the blob store, part by part. A part is a file with one JSON
 * document a line, compressed with gzip. First its row with its digest is stored, then its file is committed, and then one transaction
 * deletes its entries and marks it as archived. A process that dies loses nothing: the next one writes the same file. Does nothing
 * without a retention.
 */
export async function archiveLog(deps: LogArchiveDeps, signal: AbortSignal): Promise<void> {
  const { store, clock, settings } = deps;
  if (settings.logRetentionDays === undefined) return;
  const before = clock.now() - settings.logRetentionDays * dayMs;
  await countLogHours(store, clock.now(), signal);
  for (;;) {
    signal.throwIfAborted();
    const archive = (await findUnfinishedArchive(store.db)) ?? (await beginArchive(deps, before));
    if (archive === undefined) return;
    try {
      await writeArchive(deps, archive);
      await store.transaction((db) => finishArchive(db, archive));
    } catch (error) {
      if (!(error instanceof LogEntriesChanged)) throw error;
      await discardArchive(store.db, archive.id);
    }
  }
}

async function beginArchive({ store, clock }: LogArchiveDeps, before: number): Promise<LogArchiveRow | undefined> {
  const entries = await listOldEntries(store.db, before, entriesPerArchive);
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const bytes = await archiveOf(entries);
  await insertArchive(store.db, {
    state: "writing",
    from_at: first.at,
    from_id: first.id,
    until_at: last.at,
    until_id: last.id,
    entries: entries.length,
    digest: digestOf(bytes),
    upload_id: randomUUID(),
    size_bytes: bytes.length,
    created_at: clock.now(),
  });
  return findUnfinishedArchive(store.db);
}

/** Commits the file of a part, unless the blob store has it. @throws LogEntriesChanged */
async function writeArchive({ store, blobs }: LogArchiveDeps, archive: LogArchiveRow): Promise<void> {
  const { upload_id: uploadId } = archive;
  const digest = parseDigest(archive.digest);
  const bytes = await archiveOf(await listEntriesIn(store.db, archive));
  if (digestOf(bytes) !== archive.digest) throw new LogEntriesChanged();
  if ((await blobs.find(digest)) !== undefined) return;
  await blobs.deleteUpload(uploadId);
  await blobs.append(uploadId, once(bytes), { offset: 0, maxBytes: maxArchiveBytes });
  await blobs.commit(uploadId, digest);
  await blobs.deleteUpload(uploadId);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const compress = promisify(gzip);

/** The same bytes for the same entries: the header that zlib writes has no time. */
function archiveOf(entries: readonly StoredLogEntry[]): Promise<Buffer> {
  const lines = entries.map((entry) => `${JSON.stringify(lineOf(entry))}\n`);
  return compress(lines.join(""), { level: constants.Z_BEST_SPEED });
}

function lineOf({ id, kind, at, performer_name, ip, metadata, ...of }: StoredLogEntry) {
  const { namespace_id, repository_id, performer_id } = of;
  const named = { id, kind, datetime: new Date(at).toISOString(), performer: performer_name, ip };
  return { ...named, namespace_id, repository_id, performer_id, metadata: JSON.parse(metadata) };
}

/**
 * The entries that were moved into the blob store, the oldest first, as one JSON document a line.
 * @throws BlobStoreError `not_found` if the blob store does not have a part
 * @example
 * import { createWriteStream } from "node:fs";
 * import { pipeline } from "node:stream/promises";
 *
 * declare const store: RegistryStore;
 * await pipeline(readArchivedLog(store, createFileBlobStore("blobs")), createWriteStream("log.jsonl"));
 */
export async function* readArchivedLog(
  { db }: Pick<RegistryStore, "db">,
  blobs: BlobStore,
): AsyncGenerator<Uint8Array> {
  const pages = readPages<LogArchiveRow>((last) => listArchives(db, { after: last?.id ?? 0, limit: 100 }));
  for await (const archives of pages) {
    for (const { digest } of archives) yield* decompressed(blobs.read(parseDigest(digest)));
  }
}

/** `pipe` would not pass errors of the source on: they would end the process. */
function decompressed(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // The callback is required; the reader of the stream gets its errors.
  return pipeline(Readable.from(bytes), createGunzip(), () => {});
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
