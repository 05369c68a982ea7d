import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { type AcceptedEncodings, type Compressed, openCompressor } from "./content-encoding.ts";
import type { HeaderList } from "./header-list.ts";
import { jsonLines, jsonPieces } from "./json-pieces.ts";
import { shortJson } from "./short-json.ts";

/** A response with a body. */
export interface BodyResponse {
  readonly status: number;
  /** Taken over: what the way of writing says is added. */
  readonly headers: HeaderList;
  readonly body: unknown;
  /** Whether the body is an async iterable to be written line by line. */
  readonly lines: boolean;
  readonly encodings: AcceptedEncodings;
  /** The trailer for what goes wrong while the body is written; without it the connection is cut. */
  readonly errorTrailer: string | undefined;
}

/** Shorter bodies are not worth compressing. */
const minCompressedBytes = 1024;

/**
 * Writes a response as JSON, at the pace of the client. What fails before the first portion is thrown, and nothing is
 * written then. What fails later ends the body there and is told in the trailer.
 * @returns undefined where it is written already, as most are
 * @throws what the body throws
 */
export function writeBody(response: ServerResponse, given: BodyResponse): Promise<void> | undefined {
  const text = given.lines ? undefined : shortJson(given.body);
  if (text !== undefined && writeShort(response, given, text)) return undefined;
  return writeInPortions(response, given);
}

/** Writes a short text at once, unless it has to be compressed; most bodies are short. */
function writeShort(response: ServerResponse, given: BodyResponse, text: string): boolean {
  const sizeBytes = Buffer.byteLength(text);
  const encoding = sizeBytes < minCompressedBytes ? given.encodings.small : given.encodings.best;
  if (encoding !== "identity") return false;
  const trailer = trailerOf(response, given);
  given.headers.push(...(trailer === undefined ? ["content-length", sizeBytes] : ["trailer", trailer]));
  response.writeHead(given.status, given.headers).end(isHead(response) ? undefined : text);
  return true;
}

/** @see https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2 */
function isHead({ req }: ServerResponse): boolean {
  return req.method === "HEAD";
}

/** Where there is no body, nothing comes behind it. */
function trailerOf(response: ServerResponse, { errorTrailer }: BodyResponse): string | undefined {
  return response.req.httpVersion === "1.0" || isHead(response) ? undefined : errorTrailer;
}

async function writeInPortions(response: ServerResponse, given: BodyResponse): Promise<void> {
  const rest = given.lines ? jsonLines(given.body as AsyncIterable<unknown>) : jsonPieces(given.body);
  const first = Buffer.from((await rest.next()).value ?? "");
  const second = await rest.next();
  const isSmall = second.done === true && first.length < minCompressedBytes;
  const encoding = isSmall ? given.encodings.small : given.encodings.best;
  const trailer = trailerOf(response, given);
  if (encoding !== "identity") given.headers.push("content-encoding", encoding);
  if (trailer !== undefined) given.headers.push("trailer", trailer);
  else if (second.done && encoding === "identity") given.headers.push("content-length", first.length);
  response.writeHead(given.status, given.headers);
  if (isHead(response)) {
    response.end();
    await rest.return(undefined);
    return;
  }
  const failures: unknown[] = [];
  const portions = upToFailure({ first, second, rest }, failures);
  await writePortions(response, encoding === "identity" ? portions : compress(portions, encoding));
  end(response, trailer, failures);
}

interface BegunBody {
  readonly first: Uint8Array;
  readonly second: IteratorResult<string>;
  readonly rest: AsyncIterator<string>;
}

async function* upToFailure({ first, second, rest }: BegunBody, failures: unknown[]): AsyncGenerator<Uint8Array> {
  yield first;
  try {
    for (let next = second; !next.done; next = await rest.next()) yield Buffer.from(next.value);
  } catch (error) {
    failures.push(error);
  }
}

function compress(portions: AsyncIterable<Uint8Array>, encoding: Compressed): AsyncIterable<Uint8Array> {
  return Readable.from(portions).pipe(openCompressor(encoding));
}

async function writePortions(response: ServerResponse, portions: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const portion of portions) {
    if (response.destroyed) return;
    if (!response.write(portion)) await roomIn(response);
  }
}

/** Resolves when there is room for the next portion, or when the client has left. */
function roomIn(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const goOn = () => {
    response.off("drain", goOn).off("close", goOn);
    resolve();
  };
  response.once("drain", goOn).once("close", goOn);
  return promise;
}

function end(response: ServerResponse, trailer: string | undefined, [failure]: readonly unknown[]): void {
  if (failure === undefined) {
    response.end();
    return;
  }
  if (trailer === undefined) {
    response.destroy();
    return;
  }
  response.addTrailers({ [trailer]: headerText(failure) });
  response.end();
}

/** A message as a header may hold it: one line of printable ASCII, and not too long. */
function headerText(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : String(failure);
  return message.replace(/[^\x20-\x7e]+/g, " ").slice(0, 500);
}
