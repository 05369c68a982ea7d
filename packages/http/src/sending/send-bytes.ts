import type { ServerResponse } from "node:http";
import { type SendEnd, sendBody } from "./send-body.ts";

/** Longer bodies are sent in pieces of this length, because systems and TLS copy what is written at once. */
const pieceBytes = 64 * 1024;

/** How to send bytes that are in memory. */
export interface BytesFrame {
  /** Writes the head of the response. */
  readonly head: () => void;
  /** How many of the bytes are in memory only for this response; by default all. */
  readonly heldBytes?: number;
}

/**
 * Sends a body that is in memory: a short one at once, and a longer one as {@link sendBody} does.
 * @throws RequestError `too_many_requests`, `unavailable` if a limit is reached: nothing was written
 * @example
 * import { createServer } from "node:http";
 *
 * const bytes = Buffer.from("hello");
 * const server = createServer((_, response) => {
 *   void sendBytes(response, bytes, { head: () => response.writeHead(200, { "content-length": bytes.length }) });
 * });
 */
export async function sendBytes(
  response: ServerResponse,
  bytes: Uint8Array,
  { head, heldBytes = bytes.length }: BytesFrame,
): Promise<SendEnd> {
  if (bytes.length > pieceBytes) {
    return sendBody(response, inPieces(bytes), { head, heldBytes, lengthBytes: bytes.length });
  }
  head();
  response.end(response.req.method === "HEAD" ? undefined : bytes);
  return "sent";
}

async function* inPieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
