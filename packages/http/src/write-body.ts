import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type AcceptedEncodings, compressBody } from "./content-encoding.ts";
import type { Headers } from "./documents/document-operation.ts";
import { jsonLines, jsonPieces } from "./json-pieces.ts";
import { sendBody } from "./sending/send-body.ts";

/** A response with a body. */
interface BodyResponse {
  readonly status: number;
  /** The list is changed: headers about the encoding and the length are added. */
  readonly headers: HeaderList;
  readonly body: unknown;
  /** Whether the body is an async iterable to be written line by line. */
  readonly lines: boolean;
  readonly encodings: AcceptedEncodings;
  /** The trailer for an error that occurs while the body is written; without it, an error closes the connection. */
  readonly errorTrailer: string | undefined;
}

/** The memory of a long document, roughly: it is counted as long as its client reads. */
const reportBytes = 512 * 1024;

/** Shorter bodies are not worth compressing. */
const minCompressedBytes = 1024;

/**
 * Writes a response as JSON, as fast as the client reads. An error before the first portion is thrown, and nothing is written. A later
 * error ends the body and is sent in the trailer. If the client disconnects, the body's iterator is closed.
 * @returns undefined if the response is already written, as most are
 * @throws errors of the body
 */
export function writeBody(response: ServerResponse, given: BodyResponse): Promise<void> | undefined {
  const text = given.lines ? undefined : shortJson(given.body);
  if (text !== undefined && writeShort(response, given, text)) return undefined;
  return writeInPortions(response, given);
}

/** Writes a short text at once. @returns false if it has to be compressed, which is done in portions */
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

/** The trailer to send; undefined for responses that cannot have one. */
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
  const failures: unknown[] = [];
  const portions = upToFailure({ first, second, rest }, failures);
  try {
    await sendBody(response, encoding === "identity" ? portions : compressBody(portions, encoding), {
      head: () => response.writeHead(given.status, given.headers),
      end: () => end(response, trailer, failures),
      heldBytes: reportBytes,
      chunks: "own",
    });
  } finally {
    await rest.return(undefined); // if the portions were never requested
  }
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
  } finally {
    await rest.return?.(undefined); // closes the body's iterator if the client disconnects
  }
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

/** A message in the form of a header value: one line of printable ASCII, of limited length. */
function headerText(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : String(failure);
  return message.replace(/[^\x20-\x7e]+/g, " ").slice(0, 500);
}

/** The limit for short values: the number of values and characters together. */
const maxSize = 8 * 1024;

/**
 * The JSON of a value that is certainly short; undefined for a value that may be long or is streamed. The check is cheap, because it
 * counts no further than {@link maxSize}.
 */
export function shortJson(value: unknown): string | undefined {
  return roomAfter(value, maxSize) < 0 ? undefined : JSON.stringify(value);
}

/** The remaining size after a value; below 0 if the limit is exceeded. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length - 1;
  if (typeof value !== "object" || value === null) return room - 1;
  if (Array.isArray(value)) return roomAfterAll(value, room);
  if ("toJSON" in value || Symbol.asyncIterator in value) return -1;
  return roomAfterMembers(value as Readonly<Record<string, unknown>>, room);
}

function roomAfterAll(values: readonly unknown[], room: number): number {
  let left = room - 1;
  for (let index = 0; index < values.length && left >= 0; index++) left = roomAfter(values[index], left);
  return left;
}

function roomAfterMembers(value: Readonly<Record<string, unknown>>, room: number): number {
  let left = room - 1;
  for (const name in value) {
    if (left < 0) return left;
    left = roomAfter(value[name], left - name.length);
  }
  return left;
}

/** Headers in the form that Node writes fastest: lower-case names and values in turn. */
export type HeaderList = OutgoingHttpHeader[];

/** Adds headers whose names the list does not have yet. @returns the list */
export function addHeaders(list: HeaderList, headers: Headers | OutgoingHttpHeaders | undefined): HeaderList {
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !hasHeader(list, name)) list.push(name, value as OutgoingHttpHeader);
  }
  return list;
}

function hasHeader(list: HeaderList, name: string): boolean {
  for (let index = 0; index < list.length; index += 2) if (list[index] === name) return true;
  return false;
}
