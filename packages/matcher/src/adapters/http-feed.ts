import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { ScanError } from "@plimsoll/core";
import {
  adviceOf,
  discardBody,
  findErrorCode,
  isPassingError,
  type Outbound,
  type OutboundResponse,
  RefusedRedirect,
  type RetryPolicy,
  withRetries,
} from "@plimsoll/outbound";
import { RefusedDocument, toScanError } from "./http-failure.ts";
import { conditionalHeaders, type HttpValidator } from "./http-validator.ts";

/** How one document is fetched. */
export interface HttpFetchOptions {
  readonly url: URL;
  /** The document as it was; the server may then answer that it is unchanged. */
  readonly previous: HttpValidator | undefined;
  /** Where the content goes. */
  readonly path: string;
  readonly maxBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly outbound: Outbound;
  readonly signal: AbortSignal;
  readonly retry: RetryPolicy;
}

/** What came. */
export type HttpFetched =
  | { readonly kind: "unchanged" }
  | { readonly kind: "document"; readonly validator: HttpValidator; readonly sizeBytes: number };

/**
 * Fetches one document into a file; tries again, ever later, while the failure is one that may pass.
 * @throws ScanError `not_found`, `not_permitted`, `unauthorized`, `feed_unreachable`, `malformed_feed` when too large
 */
export async function fetchDocument(options: HttpFetchOptions): Promise<HttpFetched> {
  const { url, path, retry, signal } = options;
  const attempt = () =>
    fetchOnce(options).catch(async (error: unknown) => {
      await rm(path, { force: true });
      throw error;
    });
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

async function fetchOnce(options: HttpFetchOptions): Promise<HttpFetched> {
  const response = await send(options);
  const { url, status, headers, body } = response;
  if (status === 304 && options.previous !== undefined) {
    await discardBody(response);
    return { kind: "unchanged" };
  }
  if (status !== 200) {
    await discardBody(response);
    throw new RefusedDocument(response);
  }
  const { digest, sizeBytes } = await spool(url, body, textOf(headers["content-encoding"]), options);
  if (digest === options.previous?.digest) return { kind: "unchanged" };
  const [etag, lastModified] = [textOf(headers.etag), textOf(headers["last-modified"])];
  const words = { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
  return { kind: "document", validator: { digest, ...words }, sizeBytes };
}

/** The configured headers stay with the configured server. */
function send({
  url,
  previous,
  headers: originHeaders,
  outbound,
  signal,
}: HttpFetchOptions): Promise<OutboundResponse> {
  const headers = { "user-agent": "plimsoll", ...conditionalHeaders(previous), "accept-encoding": "gzip" };
  return outbound.send({ url, headers, originHeaders, signal }).catch((error: unknown) => {
    throw error instanceof RefusedRedirect ? unreachable(`${error.from.href}: found ${error.message}`) : error;
  });
}

function unreachable(message: string): ScanError {
  return new ScanError("feed_unreachable", message);
}

/** Writes a body to the file as it comes, decompressed where the transfer was, and counts and digests it. */
async function spool(url: URL, body: Readable, encoding: string | undefined, options: HttpFetchOptions) {
  const { path, maxBytes, signal } = options;
  const hash = createHash("sha256");
  let sizeBytes = 0;
  async function* measured(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) {
        throw new ScanError("malformed_feed", `${url.href} has more than ${maxBytes} bytes`);
      }
      hash.update(chunk);
      yield chunk;
    }
  }
  const file = createWriteStream(path, { flags: "w", mode: 0o600 });
  if (encoding === undefined || encoding === "identity") await pipeline(body, measured, file, { signal });
  else if (encoding === "gzip") await pipeline(body, createGunzip(), measured, file, { signal });
  else throw unreachable(`${url.href} came in the encoding ${encoding}, expected gzip or none`);
  return { digest: `sha256:${hash.digest("hex")}`, sizeBytes };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
