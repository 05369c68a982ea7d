import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import type { S3Bucket, S3Object } from "./s3-bucket.ts";
import type { S3Answer } from "./s3-client.ts";
import { readXml, tryReadXml } from "./s3-xml.ts";

/** The least size of every part of an object but the last. */
const minPartBytes = 5 * 1024 * 1024;

/** A part of the new object: copied by the store, or sent to it. */
type Part =
  | { readonly kind: "copy"; readonly source: S3Object }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

/**
 * Joins several listed objects into one. Large ones are copied inside the store. The new object appears as a whole, or not at all
 * when one of them has changed since.
 */
export async function assembleObject(bucket: S3Bucket, key: string, sources: readonly S3Object[]): Promise<void> {
  const total = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total < minPartBytes) {
    const chunks: Uint8Array[] = [];
    for (const source of sources) chunks.push(await readSource(bucket, source));
    expectOk(await bucket.send({ method: "PUT", key, body: Buffer.concat(chunks) }));
    return;
  }
  const created = expectOk(await bucket.send({ method: "POST", key, query: { uploads: "" } }));
  const uploadId = (await readXml(created.text)).text("UploadId") ?? "";
  try {
    const etags: string[] = [];
    for await (const part of partsOf(bucket, sources)) {
      const query = { partNumber: String(etags.length + 1), uploadId };
      etags.push(
        part.kind === "copy"
          ? await copyPart(bucket, { key, query }, part.source)
          : await sendPart(bucket, { key, query }, part.bytes),
      );
    }
    await complete(bucket, key, { uploadId, etags });
  } catch (error) {
    await bucket.send({ method: "DELETE", key, query: { uploadId } }).catch(() => {});
    throw error;
  }
}

/** The content of an object as it was listed. @throws BlobStoreError `wrong_offset` when it has changed */
export async function* streamSource(bucket: S3Bucket, { key, etag }: S3Object): AsyncIterable<Uint8Array> {
  const object = await bucket.open(key, { "if-match": etag });
  if (object === undefined) throw changed();
  yield* object.content;
}

async function readSource(bucket: S3Bucket, source: S3Object): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamSource(bucket, source)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Small sources are gathered until they are large enough for a part. */
async function* partsOf(bucket: S3Bucket, sources: readonly S3Object[]): AsyncIterable<Part> {
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  for (const source of sources) {
    if (bytes === 0 && source.sizeBytes >= minPartBytes) {
      yield { kind: "copy", source };
      continue;
    }
    gathered.push(await readSource(bucket, source));
    bytes += source.sizeBytes;
    if (bytes < minPartBytes) continue;
    yield { kind: "bytes", bytes: Buffer.concat(gathered) };
    [gathered, bytes] = [[], 0];
  }
  if (bytes > 0) yield { kind: "bytes", bytes: Buffer.concat(gathered) };
}

type PartQuery = Readonly<Record<"partNumber" | "uploadId", string>>;

async function copyPart(
  bucket: S3Bucket,
  { key, query }: { readonly key: string; readonly query: PartQuery },
  source: S3Object,
): Promise<string> {
  const headers = { "x-amz-copy-source": bucket.sourceOf(source.key), "x-amz-copy-source-if-match": source.etag };
  const answer = await bucket.send({ method: "PUT", key, query, headers });
  if (answer.status === 412) throw changed();
  const { text } = expectOk(answer);
  const etag = (await tryReadXml(text))?.text("ETag");
  if (etag === undefined) throw new BlobStoreError("unavailable", `a part was not copied: ${text.slice(0, 300)}`);
  return etag;
}

async function sendPart(
  bucket: S3Bucket,
  { key, query }: { readonly key: string; readonly query: PartQuery },
  bytes: Uint8Array,
): Promise<string> {
  const { headers } = expectOk(await bucket.send({ method: "PUT", key, query, body: bytes }));
  return headers.etag ?? "";
}

/** The store may fail after it has answered 200: then the answer's body says so. */
async function complete(
  bucket: S3Bucket,
  key: string,
  { uploadId, etags }: { readonly uploadId: string; readonly etags: readonly string[] },
): Promise<void> {
  const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
  const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
  const { ok, text } = await bucket.send({ method: "POST", key, query: { uploadId }, body });
  if (ok && text.includes("<CompleteMultipartUploadResult")) return;
  throw new BlobStoreError("unavailable", `an object was not completed: ${text.slice(0, 300)}`);
}

/** @throws BlobStoreError `unavailable` */
function expectOk(answer: S3Answer): S3Answer {
  if (answer.ok) return answer;
  throw new BlobStoreError("unavailable", `the blob store answered ${answer.status}: ${answer.text.slice(0, 300)}`);
}

function changed(): BlobStoreError {
  return new BlobStoreError("wrong_offset", "the upload has changed while it was read");
}

/** How many bytes of an upload become one part, while there is enough memory. */
const partBytes = 8 * 1024 * 1024;

/** The same while there is not: many slow uploads at once. */
const smallPartBytes = 256 * 1024;

/** How many bytes of all uploads may be held before parts become small: those of sixteen large parts. */
const enoughBytes = 16 * partBytes;

/**
 * The memory in which a process holds uploads until they are written: at most 128 MiB, and 256 KiB for each upload beyond. No
 * upload waits for the memory of another, so a slow client does not delay other clients.
 */
export class UploadMemory {
  heldBytes = 0;

  /** The current size of a part: received bytes are written as soon as there are so many. */
  get partBytes(): number {
    return this.heldBytes < enoughBytes ? partBytes : smallPartBytes;
  }
}

/** Options of {@link gatherParts}. */
export interface GatherOptions {
  readonly memory: UploadMemory;
  /** The most bytes that the source may deliver. */
  readonly room: number;
  /** The error for a source that delivers more. */
  readonly overflow: Error;
  /** Called with each chunk that is no longer needed. */
  readonly onWritten?: ((chunk: Uint8Array) => void) | undefined;
  /** Called with the error, where the parts end before the source does. */
  readonly onError: (error: unknown) => void;
}

/**
 * Joins chunks into parts. Bytes before a failure of the source become a part as well. The caller must be done with a part when it
 * requests the next one.
 */
export async function* gatherParts(
  source: AsyncIterable<Uint8Array>,
  { memory, room, overflow, onWritten = () => {}, onError }: GatherOptions,
): AsyncIterable<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let [bytes, left] = [0, room];
  function join(): Uint8Array {
    const part = Buffer.concat(chunks);
    chunks.forEach(onWritten);
    chunks = [];
    return part;
  }
  try {
    yield* untilItFails();
    if (bytes > 0) yield join();
  } finally {
    memory.heldBytes -= bytes;
  }

  async function* untilItFails(): AsyncIterable<Uint8Array> {
    try {
      for await (const chunk of source) {
        if (chunk.length > left) throw overflow;
        left -= chunk.length;
        chunks.push(chunk);
        bytes += chunk.length;
        memory.heldBytes += chunk.length;
        if (bytes < memory.partBytes) continue;
        yield join();
        memory.heldBytes -= bytes;
        bytes = 0;
      }
    } catch (error) {
      onError(error);
    }
  }
}
