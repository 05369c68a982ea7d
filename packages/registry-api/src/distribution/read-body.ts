import type { IncomingMessage } from "node:http";
import { askForBody } from "@plimsoll/http";
import { turnOfBody } from "@plimsoll/store";
import type { Exchange } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";

/** A request with a body, and its response. */
export type BodyExchange = Pick<Exchange, "request" | "response">;

/**
 * The body of a request as a stream. A client that waits for `100 Continue` gets it. If reading stops before the end, the request can
 * still be answered.
 */
export function openBody({ request, response }: BodyExchange): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      askForBody({ request, response });
      return request.iterator({ destroyOnReturn: false });
    },
  };
}

/** Whether the whole body has arrived. In HTTP/2, `complete` is also true for a request that its client has aborted. */
export function isWhole(request: IncomingMessage): boolean {
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
