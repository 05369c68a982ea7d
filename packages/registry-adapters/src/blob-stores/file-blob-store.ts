/**
 * Blobs as files:
 *
 *     blobs/sha256/4f/4f…        a blob
 *     uploads/<id>/<offset>      the bytes that one request added to an upload, from that offset on; never changed
 *     uploads/<id>/+<random>     the bytes of a request that has not ended
 *
 * A request writes to its own file and links it to its offset when it ends. If two requests continue an upload at once, at any
 * nodes, one succeeds and the other gets an error. The file of an upload in one request becomes the blob by a link; an upload in
 * several requests is copied into one file, and hashed on the way. A name is created only after its content is complete. A commit replaces
 * the file of the same blob, which may be damaged, and whatever else has its name.
 */

import { randomUUID } from "node:crypto";
import { link, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Digest, digestAlgorithm, digestHex } from "@plimsoll/core/digest";
import type { DigestAlgorithm } from "@plimsoll/core/internal";
import { type AppendOptions, type BlobStore, BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import { hasCode, makeFolders, syncPath } from "@plimsoll/store";
import { asBlobFault, type BlobPlace, notAFile } from "./blob-file-fault.ts";
import { type FilePart, openFile, ReadBuffers, readInTurns, versionOf } from "./read-in-turns.ts";
import { checkDigest, checkOffset, checkUploadId, tooLarge, UploadHash, UploadHashes } from "./upload-hash.ts";
import { placeFile, writeChunks } from "./write-file.ts";

/** How much is read at a time. */
const readBytes = 1024 * 1024;

/** A part of an upload. */
interface Segment {
  readonly path: string;
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Options of {@link createFileBlobStore}. */
export interface FileBlobStoreOptions {
  /** Flushes a file or a folder to disk. Tests that do not need it replace it. */
  readonly sync?: (path: string) => Promise<void>;
}

/**
 * A blob store in a folder, which is created when it is needed. Several nodes may share the folder.
 * @example
 * declare const store: RegistryStore;
 * const key = await readSecretKey("registry.key");
 * const registry = createRegistry({ store, blobs: createFileBlobStore("/var/lib/registry/blobs"), key });
 */
export function createFileBlobStore(folder: string, { sync = syncPath }: FileBlobStoreOptions = {}): BlobStore {
  const hashes = new UploadHashes();
  const buffers = new ReadBuffers();
  const uploads = join(folder, "uploads");
  const uploadPath = (uploadId: string) => join(uploads, checkUploadId(uploadId));

  function placeOf(digest: Digest): BlobPlace {
    const hex = digestHex(digest);
    const root = join(folder, "blobs", digestAlgorithm(digest));
    return { root, path: join(root, hex.slice(0, 2), hex) };
  }

  async function assemble(uploadId: string, segments: readonly Segment[], algorithm: DigestAlgorithm) {
    const path = join(uploadPath(uploadId), `+${randomUUID()}`);
    const hash = new UploadHash(algorithm);
    await using file = await open(path, "wx");
    await writeChunks(file, hashed(readSegments(segments), hash));
    return { path, hash };
  }

  /** The whole upload as one file, with its digest. */
  async function wholeUpload(uploadId: string, algorithm: DigestAlgorithm) {
    const segments = await listSegments(uploadPath(uploadId));
    const [only, ...others] = segments;
    if (only === undefined || others.length > 0) return assemble(uploadId, segments, algorithm);
    const known = hashes.take(uploadId, String(only.sizeBytes));
    if (known?.algorithm === algorithm) return { path: only.path, hash: known };
    return { path: only.path, hash: await hashSegments(segments, algorithm) };
  }

  return {
    find: (digest) => blobSize(placeOf(digest)),
    read(digest, range, { use, onVersion } = {}) {
      const place = placeOf(digest);
      const part = { path: place.path, range, onVersion };
      return orFault(use === "once" ? readInTurns(part, buffers) : readFile(part), place);
    },
    findAddress: async () => undefined,
    delete: (digest) => deleteBlob(placeOf(digest)),
    countReceived: async (uploadId) => receivedBytes(await listSegments(uploadPath(uploadId))),

    append: orFull(async (uploadId, source, { offset, maxBytes, algorithm = "sha256", onWritten }) => {
      const path = uploadPath(uploadId);
      const segments = await listSegments(path);
      checkOffset(receivedBytes(segments), offset);
      const hash = hashes.take(uploadId, String(offset)) ?? (await hashSegments(segments, algorithm));
      await makeFolders(path);
      const written = await writeSegment(path, source, { offset, maxBytes, hash, onWritten });
      hashes.put(uploadId, String(hash.bytes), hash);
      if (written.error !== undefined) throw written.error;
      return hash.bytes;
    }),

    commit: orFull(async (uploadId, digest) => {
      await makeFolders(uploadPath(uploadId));
      const { path, hash } = await wholeUpload(uploadId, digestAlgorithm(digest));
      hashes.put(uploadId, String(hash.bytes), hash);
      checkDigest(hash.digest(), digest);
      await sync(path);
      const spare = () => join(uploadPath(uploadId), `+${randomUUID()}`);
      for (const changed of await placeFile({ path, spare, place: placeOf(digest).path })) await sync(changed);
      return hash.bytes;
    }),

    async deleteUpload(uploadId) {
      hashes.drop(uploadId);
      await rm(uploadPath(uploadId), { recursive: true, force: true });
    },

    async *listUploads() {
      yield* await readdir(uploads).catch(orEmpty);
    },

    async findMissingFolder() {
      const path = join(folder, "blobs");
      return (await isFolder(path)) ? undefined : path;
    },

    async removeRemains() {}, // a commit is one renaming
  };
}

interface WriteOptions {
  readonly maxBytes: number;
  readonly hash: UploadHash;
  readonly onWritten: AppendOptions["onWritten"] | undefined;
}

/** Writes the bytes of a request as a segment. Bytes before an error are kept, and the error is returned. */
async function writeSegment(
  folder: string,
  source: AsyncIterable<Uint8Array>,
  { offset, maxBytes, hash, onWritten }: WriteOptions & { readonly offset: number },
): Promise<{ readonly error?: unknown }> {
  const path = join(folder, `+${randomUUID()}`);
  await using file = await open(path, "wx");
  let error: unknown;
  try {
    await writeChunks(file, limited(source, { hash, maxBytes, onError: (thrown) => (error = thrown) }), onWritten);
    const place = join(folder, String(offset).padStart(16, "0"));
    if (hash.bytes > offset) await claim(path, place).catch((thrown) => (error ??= thrown)); // the source failed first
  } finally {
    await rm(path, { force: true });
  }
  return error === undefined ? {} : { error };
}

/** Ends where the source fails or exceeds the limit, and passes on the error. The bytes before it are to be kept. */
async function* limited(
  source: AsyncIterable<Uint8Array>,
  {
    hash,
    maxBytes,
    onError,
  }: { readonly hash: UploadHash; readonly maxBytes: number; readonly onError: (error: unknown) => void },
): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of source) {
      if (hash.bytes + chunk.length > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    onError(error);
  }
}

async function* hashed(source: AsyncIterable<Uint8Array>, hash: UploadHash): AsyncIterable<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

async function hashSegments(segments: readonly Segment[], algorithm: DigestAlgorithm): Promise<UploadHash> {
  const hash = new UploadHash(algorithm);
  for await (const chunk of readSegments(segments)) hash.update(chunk);
  return hash;
}

async function* readSegments(segments: readonly Segment[]): AsyncIterable<Uint8Array> {
  for (const { path } of segments) yield* readFile({ path });
}

/** The parts of an upload in order. Each begins where the one before it ends. */
async function listSegments(folder: string): Promise<readonly Segment[]> {
  const names = (await readdir(folder).catch(orEmpty)).filter((name) => /^\d+$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, offset: Number(name), sizeBytes: (await fileSize(path)) ?? 0 };
    }),
  );
}

function receivedBytes(segments: readonly Segment[]): number {
  const last = segments.at(-1);
  return last === undefined ? 0 : last.offset + last.sizeBytes;
}

async function claim(path: string, place: string): Promise<void> {
  try {
    await link(path, place);
  } catch (cause) {
    if (!hasCode(cause, "EEXIST")) throw cause;
    throw new BlobStoreError("wrong_offset", "another request has continued the upload in the meantime", { cause });
  }
}

/** Opens the file when it is first read: a stream that fails before anything listens to it would end the process. */
async function* readFile({ path, range, onVersion }: FilePart): AsyncIterable<Uint8Array> {
  const bounds = range === undefined ? {} : { start: range.first, end: range.last };
  await using file = await openFile(path);
  if (onVersion !== undefined) onVersion(versionOf(await file.stat()));
  yield* file.createReadStream({ highWaterMark: readBytes, ...bounds });
}

async function* orFault(source: AsyncIterable<Uint8Array>, place: BlobPlace): AsyncIterable<Uint8Array> {
  try {
    yield* source;
  } catch (cause) {
    throw await asBlobFault(cause, place);
  }
}

/** @throws BlobStoreError `damaged`, `unavailable` */
async function blobSize(place: BlobPlace): Promise<number | undefined> {
  try {
    const found = await stat(place.path);
    if (found.isFile()) return found.size;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw await asBlobFault(error, place);
  }
  throw notAFile();
}

/** Deletes a blob, or what has its name. */
async function deleteBlob({ path }: BlobPlace): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch((error: unknown) => {
    if (!hasCode(error, "ENOTDIR", "ELOOP")) throw error; // its folder is none, so there is no such blob
  });
}

/** Turns the errors of a full disk and of an exhausted disk quota into `full`. */
function orFull<Parameters extends unknown[], Result>(
  work: (...parameters: Parameters) => Promise<Result>,
): (...parameters: Parameters) => Promise<Result> {
  return (...parameters) =>
    work(...parameters).catch((cause: unknown) => {
      const isFull = hasCode(cause, "ENOSPC") || hasCode(cause, "EDQUOT");
      throw isFull ? new BlobStoreError("full", "there is no room for more blobs", { cause }) : cause;
    });
}

async function fileSize(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whether a folder is there. */
function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return false;
      throw error;
    },
  );
}

function orEmpty(error: unknown): string[] {
  if (hasCode(error, "ENOENT")) return [];
  throw error;
}
