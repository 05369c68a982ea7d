import type { ServerResponse } from "node:http";
import { BodyReader, type SentBody } from "./body-reader.ts";
import type { OpenSend } from "./open-send.ts";
import { sendsOf } from "./open-sends.ts";
import { cutOff, firstInLine, isGone, onceGone } from "./response-end.ts";

/** What is sent around a body. */
export interface BodyFrame {
  /** Writes the head of the response. It is called when the first chunk was read, so that an error before it can still be answered. */
  readonly head: () => void;
  /** Ends the response after the last chunk; by default `response.end()`. */
  readonly end?: () => void;
  /**
   * Whether chunks share memory, so that the system must have taken each before the next one is requested, as by default; several `own` ones
   * may be on their way.
   */
  readonly chunks?: "shared" | "own";
  /** How many bytes the body has, if the head says so. A shorter body is an error. */
  readonly lengthBytes?: number;
  /** How many bytes of memory the body takes until it was sent, besides its current chunk; 0 by default. */
  readonly heldBytes?: number;
}

/** How a body ended: it was sent whole, or its client left. */
export type SendEnd = "sent" | "left";

/**
 * Sends the body of a response as fast as its client reads: the one way for every body that is longer than one write. It owns the body:
 * whether the body is sent, fails or its client leaves, its iterator is returned, once, before the promise settles. When the client leaves, it
 * is returned at once, also while a chunk is waited for. The next chunk is
 * requested when the system has taken the last one, so chunks may share memory. A response that waits for others on its connection opens
 * its body when it is its turn. While a client does not read, a {@link ResumableBody} is closed.
 * @returns "left" if the client has left, or was cut by the limits of {@link OpenSends}
 * @throws RequestError `too_many_requests`, `unavailable` if a limit is reached; errors of the body: before `head` nothing was written, and
 * later ones cut the response off
 * @example
 * import { createServer } from "node:http";
 *
 * async function* greeting() {
 *   yield Buffer.from("hello");
 * }
 *
 * const server = createServer((_, response) => {
 *   void sendBody(response, greeting(), { head: () => response.writeHead(200, { "content-length": 5 }) });
 * });
 */
export async function sendBody(response: ServerResponse, body: SentBody, frame: BodyFrame): Promise<SendEnd> {
  const reader = new BodyReader(body);
  const turn = firstInLine(response);
  if (turn !== undefined) await turn;
  if (isGone(response)) return leave(reader);
  const sends = sendsOf(response);
  const send = await beginOrClose(reader, () => sends?.begin(response, frame.heldBytes ?? 0, () => reader.park()));
  const stop = onceGone(response, () => {
    send?.end();
    reader.close().catch(() => {}); // told below
  });
  try {
    return await pump({ response, reader, frame, send });
  } catch (error) {
    if (response.headersSent) cutOff(response);
    throw error;
  } finally {
    stop();
    send?.end();
    await reader.close();
  }
}

async function leave(reader: BodyReader): Promise<SendEnd> {
  await reader.close();
  return "left";
}

async function beginOrClose(reader: BodyReader, begin: () => OpenSend | undefined): Promise<OpenSend | undefined> {
  try {
    return begin();
  } catch (error) {
    await reader.close();
    throw error;
  }
}

interface Pumped {
  readonly response: ServerResponse;
  readonly reader: BodyReader;
  readonly frame: BodyFrame;
  readonly send: OpenSend | undefined;
}

async function pump({ response, reader, frame, send }: Pumped): Promise<SendEnd> {
  const first = await reader.next();
  if (isGone(response)) return "left";
  frame.head();
  if (response.req.method === "HEAD") return endHead(response);
  const writer = new ChunkWriter({ response, send, chunks: frame.chunks ?? "shared" });
  try {
    for (let chunk = first; chunk !== undefined; chunk = await reader.next()) {
      if (!(await writer.write(chunk))) return "left";
    }
    if (isGone(response)) return "left";
    checkLength(reader.passedBytes, frame.lengthBytes);
    if (frame.end === undefined) response.end();
    else frame.end();
    return "sent";
  } finally {
    writer.close();
  }
}

function endHead(response: ServerResponse): SendEnd {
  response.end();
  return "sent";
}

/** On a connection that stays open, a client would take the next response for the rest of a body that is too short. */
function checkLength(found: number, expected = found): void {
  if (found !== expected) throw new Error(`the body has ${found} bytes, but its head says ${expected}`);
}

/** Larger chunks are written in pieces, so that the time for one has a limit. */
const pieceBytes = 512 * 1024;

/** How many bytes of `own` chunks are written before the system has taken them. */
const onTheirWayBytes = 64 * 1024;

interface WriterParts {
  readonly response: ServerResponse;
  readonly send: OpenSend | undefined;
  readonly chunks: "shared" | "own";
}

/** Writes chunks and waits until the system has taken each, or the client has left: a response without a client calls nothing back. */
class ChunkWriter {
  readonly #response: ServerResponse;
  readonly #send: OpenSend | undefined;
  readonly #stop: () => void;
  #freeBytes: number;
  #isGone = false;
  #leave: () => void = () => {};

  constructor({ response, send, chunks }: WriterParts) {
    this.#response = response;
    this.#send = send;
    this.#freeBytes = chunks === "own" ? onTheirWayBytes : 0;
    this.#stop = onceGone(response, () => {
      this.#isGone = true;
      this.#leave();
    });
  }

  /** @returns false if the client has left */
  async write(chunk: Uint8Array): Promise<boolean> {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const isWhole = chunk.length <= pieceBytes;
      if (!(await this.#writePiece(isWhole ? chunk : chunk.subarray(at, at + pieceBytes)))) return false;
    }
    return !this.#isGone;
  }

  /** Stops watching the client. */
  close(): void {
    this.#stop();
  }

  #writePiece(piece: Uint8Array): Promise<boolean> {
    if (this.#isGone || isGone(this.#response)) return Promise.resolve(false);
    if (piece.length <= this.#freeBytes) return this.#writeFree(piece);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#leave = () => resolve(false);
    this.#send?.written(piece.length);
    this.#response.write(piece, (error) => {
      if (!error) this.#send?.taken();
      resolve(!error);
    });
    return promise;
  }

  #writeFree(piece: Uint8Array): Promise<boolean> {
    this.#freeBytes -= piece.length;
    this.#response.write(piece, () => {
      this.#freeBytes += piece.length;
    });
    return Promise.resolve(true);
  }
}
