import type { IncomingMessage } from "node:http";
import { DistributionError } from "./distribution-error.ts";

/** The body of a request as it comes. Whoever stops reading it may answer still, and the connection be used again. */
export function openBody(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) };
}

/** Whether all of a body has come. HTTP/2 calls one complete that its client has broken off. */
export function isWhole(request: IncomingMessage): boolean {
  return request.complete && !request.aborted;
}

/** The body of a request, which is small enough for memory. @throws DistributionError with status 413 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of openBody(request)) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new DistributionError("SIZE_INVALID", `expected at most ${maxBytes} bytes`, { status: 413 });
    }
    chunks.push(chunk);
  }
  if (!isWhole(request)) throw new DistributionError("INVALID_REQUEST", "the connection ended before the body did");
  return Buffer.concat(chunks);
}
