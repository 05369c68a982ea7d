import type { IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import { type Digest, digestAlgorithm } from "@plimsoll/core/digest";
import { askForBody, hasBody } from "@plimsoll/http";
import type { Clock } from "@plimsoll/registry/ports";
import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import type { HeldBlob, QuotaGate } from "@plimsoll/registry/push/quota-gate";
import { noteReceived, renewUpload } from "@plimsoll/registry/push/uploads";
import { turnOfBody } from "@plimsoll/store";
import type { Distribution, Exchange } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { parseContentRange } from "./ranges.ts";

/** Loaded with `require`, because `import` would also load the client of `fetch`. */
const { IncomingMessage: HttpRequest }: typeof import("node:http") = createRequire(import.meta.url)("node:http");

/** The upload to which the body of a request is added. */
export interface ReceivedChunk {
  readonly uploadId: string;
  /** The digest of the blob if this chunk completes the upload; absent if other chunks follow. */
  readonly digest?: Digest | undefined;
  /** The blob that the upload repeats, if the namespace has it. If the body fails, the caller must discard the upload. */
  readonly held?: HeldBlob | undefined;
  /** Admits the bytes as they arrive. */
  readonly meter: QuotaGate["meter"];
}

/**
 * Adds the body of a request to an upload. It stores the new size, unless this chunk completes the upload: then the caller stores it
 * together with the digest.
 * @returns the size of the upload in bytes
 * @throws BlobStoreError `wrong_offset`, `too_large`; DistributionError `INVALID_REQUEST`, `SIZE_INVALID`
 */
export async function receiveChunk(
  { registry, blobs, observations }: Distribution,
  exchange: Exchange,
  { uploadId, digest, held, meter }: ReceivedChunk,
): Promise<number> {
  const { request } = exchange;
  const { clock } = registry;
  const offset = await blobs.countReceived(uploadId);
  checkContentRange(request, offset);
  if (!hasBody(request)) return offset;
  const chunk = { uploadId, offset, length: lengthOf(request), digest, held, source: whole(exchange) };
  const renew = () => renewUpload(registry.store.db, uploadId, clock.now());
  const added = { offset, source: renewing(meter(chunk), { clock, renew }) };
  const options = {
    maxBytes: registry.settings.maxBlobBytes,
    algorithm: digest === undefined ? undefined : digestAlgorithm(digest),
    onWritten: request instanceof HttpRequest ? free : undefined,
  };
  const note = (receivedBytes: number, { counts }: { readonly counts: boolean }) =>
    noteReceived(registry.store.db, uploadId, { receivedBytes, counts, now: clock.now() });
  try {
    const received = await observations.pass(uploadId, added, (source) =>
      blobs.append(uploadId, source, { offset, ...options }),
    );
    if (digest === undefined) await note(received, { counts: false });
    return received;
  } catch (error) {
    await note(await blobs.countReceived(uploadId), { counts: held !== undefined });
    throw error;
  }
}

/** How often an upload is renewed while one body arrives: uploads that pause for longer give way to others. */
const renewMs = 300_000;

/** A body whose upload has not paused as long as bytes arrive. */
async function* renewing(
  source: AsyncIterable<Uint8Array>,
  { clock, renew }: { readonly clock: Clock; readonly renew: () => Promise<void> },
): AsyncIterable<Uint8Array> {
  let renewedAt = clock.now();
  for await (const chunk of source) {
    const now = clock.now();
    if (now >= renewedAt + renewMs) {
      await renew();
      renewedAt = now;
    }
    yield chunk;
  }
}

/** The length of the body that the client announces; no more bytes than that arrive. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  return length === undefined || encoding !== undefined ? undefined : Number(length);
}

/**
 * Frees the memory of a chunk that HTTP allocated for this request alone. The garbage collector would free it only after every 64 MB
 * received, and scan the whole heap each time.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

function checkContentRange({ headers }: IncomingMessage, offset: number): void {
  const header = headers["content-range"];
  if (header === undefined) return;
  const range = parseContentRange(header);
  if (range === undefined) {
    throw new DistributionError("INVALID_REQUEST", "expected a Content-Range of the form FIRST-LAST");
  }
  if (range.first !== offset) throw new BlobStoreError("wrong_offset", `the upload continues at byte ${offset}`);
  const length = headers["content-length"];
  if (length !== undefined && Number(length) !== range.last - range.first + 1) {
    throw new DistributionError("SIZE_INVALID", "Content-Range and Content-Length have different lengths");
  }
}

/** The whole body; throws if the client aborted it, because some streams then end without an error. */
async function* whole(exchange: Exchange): AsyncIterable<Uint8Array> {
  yield* openBody(exchange);
  if (!isWhole(exchange.request))
    throw new DistributionError("BLOB_UPLOAD_INVALID", "the connection ended before the body did");
}

/** A request with a body, and its response. */
type BodyExchange = Pick<Exchange, "request" | "response">;

/**
 * The body of a request as a stream. A client that waits for `100 Continue` gets it. If reading stops before the end, the request can
 * still be answered.
 */
function openBody({ request, response }: BodyExchange): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      askForBody({ request, response });
      return request.iterator({ destroyOnReturn: false });
    },
  };
}

/** Whether the whole body has arrived. In HTTP/2, `complete` is also true for a request that its client has aborted. */
function isWhole(request: IncomingMessage): boolean {
  return request.complete && !request.aborted;
}

/** Reads the body of a request into memory. @throws DistributionError with status 413 for more than `maxBytes` */
export async function readBody(exchange: BodyExchange, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of openBody(exchange)) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new DistributionError("SIZE_INVALID", `expected at most ${maxBytes} bytes`, { status: 413 });
    }
    chunks.push(chunk);
  }
  if (!isWhole(exchange.request))
    throw new DistributionError("INVALID_REQUEST", "the connection ended before the body did");
  await turnOfBody(bytes);
  return Buffer.concat(chunks);
}
