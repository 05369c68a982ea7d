import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { ScanError } from "@plimsoll/core";
import {
  adviceOf,
  discardBody,
  findErrorCode,
  isPassingError,
  limitBody,
  type Outbound,
  type OutboundResponse,
  RefusedRedirect,
  type RetryPolicy,
  withRetries,
} from "@plimsoll/outbound";
import { type BegunDownload, findBegun, forgetBegun, headersToGoOn, isRest, noteBegun } from "./begun-download.ts";
import { RefusedDocument, toScanError } from "./http-failure.ts";
import { conditionalHeaders, type HttpValidator } from "./http-validator.ts";

/** How one document is fetched. */
export interface HttpFetchOptions {
  readonly url: URL;
  /** The document as it was; the server may then answer that it is unchanged. */
  readonly previous: HttpValidator | undefined;
  /** Where the content goes. What an earlier attempt has left there is gone on with. */
  readonly path: string;
  readonly maxBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly outbound: Outbound;
  readonly signal: AbortSignal;
  readonly retry: RetryPolicy;
  /** Told how many bytes of the content are there, and how many there will be where that is known. */
  readonly onBytes?: (bytes: number, totalBytes?: number) => void;
}

/** What came. */
export type HttpFetched =
  | { readonly kind: "unchanged" }
  | { readonly kind: "document"; readonly validator: HttpValidator; readonly sizeBytes: number };

/**
 * Fetches one document into a file; tries again, ever later, while the failure is one that may pass. Where the server allows, an attempt
 * goes on where the one before was cut off.
 * @throws ScanError `not_found`, `not_permitted`, `unauthorized`, `feed_unreachable`, `malformed_feed` when too large
 */
export async function fetchDocument(options: HttpFetchOptions): Promise<HttpFetched> {
  const { url, retry, signal } = options;
  const attempt = () => fetchOnce(options);
  const advise = (error: unknown) =>
    error instanceof RefusedDocument ? adviceOf(error, Date.now()) : { isPassing: isPassing(error) };
  return withRetries(retry, attempt, { adviceOf: advise, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw toScanError(url, error);
  });
}

/** A host that refuses connections may be starting. */
function isPassing(error: unknown): boolean {
  return isPassingError(error) || findErrorCode(error) === "ECONNREFUSED";
}

/** Answers that say of a part of a document that it is another one now; after any other, what is there is still good. */
const ofRanges: ReadonlySet<number> = new Set([206, 304, 416]);

async function fetchOnce(options: HttpFetchOptions): Promise<HttpFetched> {
  const { path, previous } = options;
  const begun = await findBegun(path);
  const response = await send(options, begun);
  const { status, headers } = response;
  if (status === 304 && begun !== undefined && begun.sizeBytes === begun.totalBytes) {
    await discardBody(response);
    return fetchedOf(begun, { digest: await digestOf(path), sizeBytes: begun.sizeBytes }, previous);
  }
  if (status === 304 && begun === undefined && previous !== undefined) {
    await discardBody(response);
    return { kind: "unchanged" };
  }
  const rest = status === 206 && begun !== undefined && isRest(response, begun) ? begun : undefined;
  if (status !== 200 && rest === undefined) {
    await discardBody(response);
    if (begun === undefined || !ofRanges.has(status)) throw new RefusedDocument(response);
    await forgetBegun(path);
    return fetchOnce(options);
  }
  if (rest === undefined) await noteBegun(path, response);
  const spooled = await spool(response, rest, options);
  const [etag, lastModified] = [textOf(headers.etag), textOf(headers["last-modified"])];
  const words = { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
  return fetchedOf(rest ?? words, spooled, previous);
}

/** A document with a digest that is known is unchanged, whatever the server says. */
function fetchedOf(
  { etag, lastModified }: Omit<HttpValidator, "digest">,
  { digest, sizeBytes }: { readonly digest: string; readonly sizeBytes: number },
  previous: HttpValidator | undefined,
): HttpFetched {
  if (digest === previous?.digest) return { kind: "unchanged" };
  const words = { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
  return { kind: "document", validator: { digest, ...words }, sizeBytes };
}

/** The configured headers stay with the configured server. */
function send(
  { url, previous, headers: originHeaders, outbound, signal }: HttpFetchOptions,
  begun: BegunDownload | undefined,
): Promise<OutboundResponse> {
  const asked = begun ? headersToGoOn(begun) : { ...conditionalHeaders(previous), "accept-encoding": "gzip" };
  const headers = { "user-agent": "plimsoll", ...asked };
  return outbound.send({ url, headers, originHeaders, signal }).catch((error: unknown) => {
    throw error instanceof RefusedRedirect ? unreachable(`${error.from.href}: found ${error.message}`) : error;
  });
}

function unreachable(message: string): ScanError {
  return new ScanError("feed_unreachable", message);
}

/**
 * Writes a body to the file as it comes, decompressed where the transfer was, and counts and digests it. The rest of a document is
 * written behind what is there.
 */
async function spool(
  { url, body, headers }: OutboundResponse,
  rest: BegunDownload | undefined,
  { path, maxBytes, signal, onBytes }: HttpFetchOptions,
) {
  const encoding = textOf(headers["content-encoding"]) ?? "identity";
  const totalBytes = rest?.totalBytes ?? (encoding === "identity" ? lengthOf(headers) : undefined);
  const hash = rest === undefined ? createHash("sha256") : await hashOf(path);
  const tooLarge = () => new ScanError("malformed_feed", `${url.href} has more than ${maxBytes} bytes`);
  let sizeBytes = rest?.sizeBytes ?? 0;
  await using file = await open(path, rest === undefined ? "w" : "a", 0o600);
  // What was read is written before the next is waited for: where the transfer breaks off, it is there to go on with.
  async function write(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of limitBody(chunks, { maxBytes: maxBytes - sizeBytes, tooLarge })) {
      await file.writeFile(chunk);
      hash.update(chunk);
      sizeBytes += chunk.length;
      onBytes?.(sizeBytes, totalBytes);
    }
  }
  if (encoding === "identity") await pipeline(body, write, { signal });
  else if (encoding === "gzip") await pipeline(body, createGunzip(), write, { signal });
  else throw unreachable(`${url.href} came in the encoding ${encoding}, expected gzip or none`);
  return { digest: `sha256:${hash.digest("hex")}`, sizeBytes };
}

function lengthOf(headers: OutboundResponse["headers"]): number | undefined {
  const text = textOf(headers["content-length"]) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

async function hashOf(path: string): Promise<Hash> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash;
}

async function digestOf(path: string): Promise<string> {
  return `sha256:${(await hashOf(path)).digest("hex")}`;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
