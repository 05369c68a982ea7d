import { Readable } from "node:stream";
import { ResponseBody } from "./response-body.ts";

/** The limits of a body. */
export interface BodyCap {
  readonly maxBytes: number;
  /** Creates the error for a longer body. */
  readonly tooLarge: () => Error;
}

/** The limits of a body that is read into memory. */
export interface DocumentCap extends BodyCap {
  /** The time limit for the whole body; 120,000 by default. */
  readonly withinMs?: number;
}

const usualWithinMs = 120_000;

/**
 * Yields the chunks of a body up to a size limit.
 * @throws the error of `tooLarge`, before the chunk that exceeds the limit
 * @example
 * declare const body: AsyncIterable<Uint8Array>;
 * const cap = { maxBytes: 1024, tooLarge: () => new RangeError("expected at most 1024 bytes") };
 * for await (const chunk of limitBody(body, cap)) process.stdout.write(chunk);
 */
export async function* limitBody(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge }: BodyCap,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of body) {
    seen += chunk.length;
    if (seen > maxBytes) throw tooLarge();
    yield chunk;
  }
}

/**
 * Reads a whole body into memory.
 * @throws the error of `tooLarge`; ResponseFailure for a response that breaks off, stalls, is too slow or takes too long in all
 * @example
 * declare const response: OutboundResponse;
 * const cap = { maxBytes: 1024, tooLarge: () => new RangeError("expected at most 1024 bytes") };
 * const text = (await readBody(response.body, cap)).toString("utf8");
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  { withinMs = usualWithinMs, ...cap }: DocumentCap,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  const expire = () => {
    if (body instanceof ResponseBody) body.end("RESPONSE_TIMEOUT", `its response took more than ${withinMs / 1000} s`);
  };
  const limit = setTimeout(expire, withinMs).unref();
  try {
    // A chunk is valid only until the next one.
    for await (const chunk of limitBody(body, cap)) chunks.push(Uint8Array.from(chunk));
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(limit);
  }
}

const maxDiscardedBytes = 64 * 1024;
const maxDiscardingMs = 1_000;

/**
 * Discards an unneeded body. A small one that arrives at once is read, so that its connection can be reused. Any other ends its connection.
 * It never fails: a response that nobody needs may break off.
 * @example
 * declare const response: OutboundResponse;
 * if (response.status === 404) await discardBody(response);
 */
export async function discardBody({ body }: { readonly body: AsyncIterable<Uint8Array> | null }): Promise<void> {
  if (body === null) return;
  const chunks = endable(body)[Symbol.asyncIterator]();
  const expired = Promise.withResolvers<undefined>();
  const limit = setTimeout(() => expired.resolve(undefined), maxDiscardingMs);
  try {
    for (let seen = 0; seen <= maxDiscardedBytes; ) {
      const next = await Promise.race([chunks.next(), expired.promise]);
      if (next === undefined || next.done) return;
      seen += next.value.length;
    }
  } catch {
    // It broke off.
  } finally {
    clearTimeout(limit);
    chunks.return?.().catch(() => {});
  }
}

/** The iterator of a web stream ends only after the chunk that it waits for; that of a {@link ResponseBody} at once. */
function endable(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (!(body instanceof ReadableStream)) return body;
  return new ResponseBody(Readable.fromWeb(body), { host: "", idleMs: maxDiscardingMs });
}
