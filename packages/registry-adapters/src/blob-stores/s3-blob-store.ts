/**
 * Blobs as objects of an S3-compatible store:
 *
 *     blobs/sha256/4f/4f…        a blob
 *     uploads/<id>/<offset>      a part of an upload, from that offset on
 *
 * A part is written only where there is none yet, so that one of two requests that continue an upload at once succeeds. The store
 * assembles a blob from exactly the parts that were hashed: a part that has changed since has another ETag, and then nothing is
 * committed. The state of an upload is the list of its parts, so that any node can continue it.
 */
import { type Digest, digestAlgorithm, digestHex } from "@plimsoll/core/digest";
import type { DigestAlgorithm } from "@plimsoll/core/internal";
import { type BlobStore, BlobStoreError, type ByteRange, type ReadOptions } from "@plimsoll/registry/ports/blob-store";
import pLimit from "p-limit";
import { assembleObject, type GatherOptions, gatherParts, streamSource, UploadMemory } from "./s3-assemble.ts";
import { openS3Bucket, type S3Bucket, type S3Object } from "./s3-bucket.ts";
import type { S3Client, S3Location } from "./s3-client.ts";
import { readXml, type S3Element } from "./s3-xml.ts";
import { checkDigest, checkOffset, checkUploadId, tooLarge, UploadHash, UploadHashes } from "./upload-hash.ts";

/** Options of a blob store in a bucket. */
export type S3BlobStoreOptions = S3Location & S3Keys;

/** The keys of a blob store's objects in a bucket, and whether clients read them there. */
export interface S3Keys {
  /** The prefix of every key; ends in a slash unless it is empty. Empty where absent. */
  readonly prefix?: string;
  /** For how long the address of a blob to which clients are redirected is valid. Where absent, the registry sends the blobs itself. */
  readonly redirectSeconds?: number;
}

/** How many blobs are assembled at once: each holds up to 13 MiB of parts that are too small to be copied. */
const assembledAtOnce = 4;

/**
 * A blob store in a bucket.
 * @example
 * const blobs = createS3BlobStore({
 *   endpoint: "https://s3.eu-central-1.amazonaws.com",
 *   region: "eu-central-1",
 *   bucket: "images",
 *   prefix: "registry/",
 *   credentials: rememberCredentials(awsCredentials(process.env, "eu-central-1"), Date.now),
 * });
 */
export function createS3BlobStore(options: S3BlobStoreOptions): BlobStore {
  const { prefix = "", redirectSeconds, ...location } = options;
  const bucket = openS3Bucket(location);
  const hashes = new UploadHashes();
  const memory = new UploadMemory();
  const limit = pLimit(assembledAtOnce);
  const partsPrefix = (uploadId: string) => `${prefix}uploads/${checkUploadId(uploadId)}/`;

  function blobKey(digest: Digest): string {
    const hex = digestHex(digest);
    return `${prefix}blobs/${digestAlgorithm(digest)}/${hex.slice(0, 2)}/${hex}`;
  }

  async function find(digest: Digest): Promise<number | undefined> {
    const answer = await bucket.send({ method: "HEAD", key: blobKey(digest) });
    return answer.ok ? Number(answer.headers["content-length"]) : undefined;
  }

  return {
    find,
    read: (digest, range, { onVersion } = {}) => readObject(bucket, { key: blobKey(digest), range, onVersion }),
    findAddress: async (digest) =>
      redirectSeconds === undefined ? undefined : bucket.presign(blobKey(digest), redirectSeconds),
    async delete(digest) {
      await bucket.send({ method: "DELETE", key: blobKey(digest) });
    },
    countReceived: async (uploadId) => receivedBytes(await listParts(bucket, partsPrefix(uploadId))),

    async append(uploadId, source, { offset, maxBytes, algorithm = "sha256", onWritten }) {
      const place = partsPrefix(uploadId);
      const parts = await listParts(bucket, place);
      checkOffset(receivedBytes(parts), offset);
      const hash = hashes.take(uploadId, stateOf(parts)) ?? (await hashParts(bucket, parts, algorithm));
      const written = await writeParts(bucket, source, { place, maxBytes, hash, memory, onWritten });
      hashes.put(uploadId, stateOf([...parts, ...written.parts]), hash);
      if (written.error !== undefined) throw written.error;
      return hash.bytes;
    },

    async commit(uploadId, digest) {
      const parts = await listParts(bucket, partsPrefix(uploadId));
      const algorithm = digestAlgorithm(digest);
      const known = hashes.take(uploadId, stateOf(parts));
      const hash = known?.algorithm === algorithm ? known : await hashParts(bucket, parts, algorithm);
      hashes.put(uploadId, stateOf(parts), hash);
      checkDigest(hash.digest(), digest);
      await limit(() => assembleObject(bucket, blobKey(digest), parts)); // also over an object that is there: it may be damaged
      return hash.bytes;
    },

    async deleteUpload(uploadId) {
      hashes.drop(uploadId);
      for (const { key } of await listParts(bucket, partsPrefix(uploadId)))
        await bucket.send({ method: "DELETE", key });
    },
    listUploads: () => bucket.listFolders(`${prefix}uploads/`),
    findMissingFolder: async () => undefined,
    removeRemains: (before) => abortMultipartUploads(bucket, `${prefix}blobs/`, before),
  };
}

/** The parts of an upload in their order. */
async function listParts(bucket: S3Bucket, place: string): Promise<readonly S3Object[]> {
  const parts: S3Object[] = [];
  for await (const part of bucket.list(place)) parts.push(part);
  return parts;
}

function receivedBytes(parts: readonly S3Object[]): number {
  return parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** A text that differs whenever a part differs. */
function stateOf(parts: readonly Pick<S3Object, "sizeBytes" | "etag">[]): string {
  return parts.map(({ sizeBytes, etag }) => `${sizeBytes} ${etag}`).join();
}

async function hashParts(
  bucket: S3Bucket,
  parts: readonly S3Object[],
  algorithm: DigestAlgorithm,
): Promise<UploadHash> {
  const hash = new UploadHash(algorithm);
  for (const part of parts) {
    for await (const chunk of streamSource(bucket, part)) hash.update(chunk);
  }
  return hash;
}

/** What was written of a request's body, and the error that ended it. */
interface WrittenParts {
  readonly parts: readonly Pick<S3Object, "sizeBytes" | "etag">[];
  readonly error?: unknown;
}

interface WriteOptions extends Pick<GatherOptions, "memory" | "onWritten"> {
  readonly maxBytes: number;
  readonly hash: UploadHash;
}

/** Writes the body of a request, one part at a time. Bytes before a failure of the source are written as well. */
async function writeParts(
  bucket: S3Bucket,
  source: AsyncIterable<Uint8Array>,
  { place, maxBytes, hash, memory, onWritten }: WriteOptions & { readonly place: string },
): Promise<WrittenParts> {
  const parts: Pick<S3Object, "sizeBytes" | "etag">[] = [];
  let failure: { readonly error?: unknown } = {};
  for await (const bytes of gatherParts(source, {
    memory,
    onWritten,
    room: maxBytes - hash.bytes,
    overflow: tooLarge(maxBytes),
    onError: (error) => (failure = { error }),
  })) {
    const key = `${place}${String(hash.bytes).padStart(16, "0")}`;
    parts.push({ sizeBytes: bytes.length, etag: await writePart(bucket, key, bytes) });
    hash.update(bytes);
  }
  return { parts, ...failure };
}

/** @returns the ETag @throws BlobStoreError `wrong_offset` where another request has written a part */
async function writePart(bucket: S3Bucket, key: string, body: Uint8Array): Promise<string> {
  const etag = await bucket.putNew(key, body);
  if (etag !== undefined) return etag;
  throw new BlobStoreError("wrong_offset", "another request has continued the upload in the meantime");
}

/** A part of an object; the whole of it where `range` is absent. */
interface ObjectPart extends Pick<ReadOptions, "onVersion"> {
  readonly key: string;
  readonly range: ByteRange | undefined;
}

async function* readObject(bucket: S3Bucket, { key, range, onVersion }: ObjectPart): AsyncIterable<Uint8Array> {
  const bounds = range && { range: `bytes=${range.first}-${range.last}` };
  const object = await bucket.open(key, bounds);
  if (object === undefined) throw new BlobStoreError("not_found", "no such blob");
  const { etag, "last-modified": modifiedAt } = object.headers;
  if (etag !== undefined) onVersion?.(`${etag} ${modifiedAt}`);
  yield* object.content;
}

/**
 * Aborts multipart uploads that began before an instant (epoch milliseconds), of objects whose keys have a prefix. Processes that
 * were killed leave them. Stores keep and charge for their parts until they are aborted. Does nothing for a store that cannot list them.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html
 * @throws BlobStoreError `unavailable`
 */
async function abortMultipartUploads(client: S3Client, prefix: string, before: number): Promise<void> {
  for await (const page of listPages(client, prefix)) {
    for (const upload of page.all("Upload")) {
      if (!(Date.parse(upload.text("Initiated") ?? "") < before)) continue;
      const uploadId = upload.text("UploadId") ?? "";
      await client.send({ method: "DELETE", key: upload.text("Key") ?? "", query: { uploadId } });
    }
  }
}

async function* listPages(client: S3Client, prefix: string): AsyncIterable<S3Element> {
  let markers = {};
  for (;;) {
    const { text } = await client.send({ method: "GET", query: { uploads: "", prefix, ...markers } });
    const page = await readXml(text);
    yield page;
    if (page.text("IsTruncated") !== "true") return;
    markers = {
      "key-marker": page.text("NextKeyMarker") ?? "",
      "upload-id-marker": page.text("NextUploadIdMarker") ?? "",
    };
  }
}
