import { createHash, randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { constants, createGunzip, gzip } from "node:zlib";
import { parseDigest } from "@plimsoll/core/digest";
import type { Deps } from "../deps.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import { readPages } from "../store/bounded-reads.ts";
import {
  type BuildLogArchiveRow,
  deleteLogArchive,
  findLogArchive,
  finishLogArchive,
  insertLogArchive,
  listBuildsWithLogs,
  listLogEntries,
  listOrphanedArchives,
  orphanLogArchive,
} from "./queries/log-archives.ts";

/** How long after its request the log of a build stays in the database. After that, no attempt writes to it, and few users read it. */
export const keptMs = 3 * 86_400_000;

/** No log is larger, because the number and the length of its lines are limited. */
const maxArchiveBytes = 1024 ** 3;

const orphansAtOnce = 100;

/**
 * Moves the logs of builds that were requested at least {@link keptMs} ago into the blob store, each as a gzip file with one JSON
 * document a line, and deletes the files of deleted builds. It first inserts the row of an archive with its digest, then commits the
 * file, and then deletes the log entries and marks the archive as complete in one transaction. A process that is killed therefore
 * loses nothing and leaves no file without a row. Only one process runs this at a time.
 */
export async function archiveBuildLogs(
  context: Pick<Deps, "store" | "blobs" | "clock">,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = context;
  await deleteOrphans(context, signal);
  const before = clock.now() - keptMs;
  const pages = readPages<{ readonly id: string; readonly hasLog: unknown }>((last) =>
    listBuildsWithLogs(store.db, { after: last?.id ?? "", before }),
  );
  for await (const builds of pages) {
    for (const { id } of builds.filter(({ hasLog }) => Boolean(hasLog))) {
      signal.throwIfAborted();
      await archiveLogOf(context, id);
    }
  }
}

async function deleteOrphans(
  { store, blobs }: Pick<Deps, "store" | "blobs" | "clock">,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const orphans = await listOrphanedArchives(store.db, orphansAtOnce);
    for (const { id, digest } of orphans) {
      signal.throwIfAborted();
      await blobs.deleteUpload(id);
      await blobs.delete(parseDigest(digest));
      await deleteLogArchive(store.db, id);
    }
    if (orphans.length < orphansAtOnce) return;
  }
}

async function archiveLogOf(context: Pick<Deps, "store" | "blobs" | "clock">, buildId: string): Promise<void> {
  const { store } = context;
  const existing = await findLogArchive(store.db, buildId);
  const entries = await listLogEntries(store.db, buildId);
  const id = existing?.id ?? randomUUID();
  const bytes = await fileOf(id, entries);
  const digest = digestOf(bytes);
  // A log that has grown since gets a new archive; the file of the old one is deleted the next time.
  if (existing !== undefined && existing.digest !== digest) return orphanLogArchive(store.db, existing.id);
  if (existing === undefined) {
    const archive = { id, build_id: buildId, state: "writing", entries: entries.length, digest } as const;
    if (!(await insertLogArchive(store.db, { ...archive, size_bytes: bytes.length }))) return;
  }
  await writeFile(context, { id, digest }, bytes);
  await store.transaction((db) => finishLogArchive(db, id, buildId));
}

/** Commits the file of an archive, unless it exists. */
async function writeFile(
  { blobs }: Pick<Deps, "store" | "blobs" | "clock">,
  { id, digest: text }: Pick<BuildLogArchiveRow, "id" | "digest">,
  bytes: Uint8Array,
): Promise<void> {
  const digest = parseDigest(text);
  await blobs.deleteUpload(id);
  if ((await blobs.find(digest)) !== undefined) return;
  await blobs.append(id, once(bytes), { offset: 0, maxBytes: maxArchiveBytes });
  await blobs.commit(id, digest);
  await blobs.deleteUpload(id);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const compress = promisify(gzip);

/** The file of an archive. It depends only on id and entries: zlib writes no time. Users cannot push the same bytes, as they do not know the id. */
function fileOf(id: string, entries: readonly { readonly entry: string }[]): Promise<Buffer> {
  const lines = [JSON.stringify({ archive: id }), ...entries.map(({ entry }) => entry)];
  return compress(lines.map((line) => `${line}\n`).join(""), { level: constants.Z_BEST_SPEED });
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Up to `limit` entries of an archived log from the position `start` on, as JSON texts. @throws BlobStoreError */
export async function readArchivedEntries(
  blobs: Pick<BlobStore, "read">,
  { digest }: Pick<BuildLogArchiveRow, "digest">,
  { start, limit }: { readonly start: number; readonly limit: number },
): Promise<readonly string[]> {
  // The callback is required: the reader gets the errors, and nobody those after it has ended.
  const text = pipeline(Readable.from(blobs.read(parseDigest(digest))), createGunzip(), () => {});
  const entries: string[] = [];
  let position = -1; // the first line is no entry
  try {
    for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (position >= start) entries.push(line);
      position++;
      if (entries.length === limit) break;
    }
  } finally {
    text.destroy(); // otherwise, the rest of the file would be read
  }
  return entries;
}
