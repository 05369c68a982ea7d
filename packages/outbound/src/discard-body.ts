import { Readable } from "node:stream";
import { ResponseBody } from "./response-body.ts";

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
