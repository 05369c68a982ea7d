import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { ScanError } from "@plimsoll/core";
import { withoutUndefined } from "@plimsoll/core/internal";
import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import {
  adviceOf,
  discardBody,
  FailedElsewhere,
  findErrorCode,
  isPassingError,
  limitBody,
  type Outbound,
  type OutboundResponse,
  RefusedRedirect,
  ResponseFailure,
  type RetryPolicy,
  withRetries,
} from "@plimsoll/outbound";
import {
  deleteDownloadState,
  findPartialDownload,
  isRest,
  type PartialDownload,
  resumeHeaders,
  storeDownloadState,
} from "./partial-download.ts";

/** Options of {@link fetchDocument}. */
export interface HttpFetchOptions {
  readonly url: URL;
  /** The validator of the document at the last update, with which the server may answer that it is unchanged. */
  readonly previous: HttpValidator | undefined;
  /** The file for the content. A partial download in it is resumed. */
  readonly path: string;
  readonly maxBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly outbound: Outbound;
  readonly signal: AbortSignal;
  readonly retry: RetryPolicy;
  /** Called with the bytes of the content so far, and the total bytes if they are known. */
  readonly onBytes?: (bytes: number, totalBytes?: number) => void;
}

/** The result of a fetch. */
export type HttpFetched =
  | { readonly kind: "unchanged" }
  | { readonly kind: "document"; readonly validator: HttpValidator; readonly sizeBytes: number };

/**
 * Fetches one document into a file. Temporary failures are retried with growing pauses. If the server supports it, an attempt resumes an
 * interrupted transfer.
 * @throws ScanError `not_found`, `not_permitted`, `unauthorized`, `feed_unreachable`, `malformed_feed` if it is too large
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

/** Whether an error is temporary. A host that refuses connections may be starting. */
function isPassing(error: unknown): boolean {
  return isPassingError(error) || findErrorCode(error) === "ECONNREFUSED";
}

/** Statuses after which a partial download is outdated; after any other it can still be resumed. */
const outdatingStatuses: ReadonlySet<number> = new Set([206, 304, 416]);

async function fetchOnce(options: HttpFetchOptions): Promise<HttpFetched> {
  const { path, previous } = options;
  const partial = await findPartialDownload(path);
  const response = await send(options, partial);
  const { status, headers } = response;
  if (status === 304 && partial !== undefined && partial.sizeBytes === partial.totalBytes) {
    await discardBody(response);
    return fetchedOf(partial, { digest: await digestOf(path), sizeBytes: partial.sizeBytes }, previous);
  }
  if (status === 304 && partial === undefined && previous !== undefined) {
    await discardBody(response);
    return { kind: "unchanged" };
  }
  const rest = status === 206 && partial !== undefined && isRest(response, partial) ? partial : undefined;
  if (status !== 200 && rest === undefined) {
    await discardBody(response);
    if (partial === undefined || !outdatingStatuses.has(status)) throw new RefusedDocument(response);
    await deleteDownloadState(path);
    return fetchOnce(options);
  }
  if (rest === undefined) await storeDownloadState(path, response);
  const spooled = await spool(response, rest, options);
  const [etag, lastModified] = [textOf(headers.etag), textOf(headers["last-modified"])];
  const validators = { etag, lastModified };
  return fetchedOf(rest ?? validators, spooled, previous);
}

/** The result for a fetched document. One with the previous digest is unchanged, whatever the server says. */
function fetchedOf(
  { etag, lastModified }: Omit<HttpValidator, "digest">,
  { digest, sizeBytes }: { readonly digest: string; readonly sizeBytes: number },
  previous: HttpValidator | undefined,
): HttpFetched {
  if (digest === previous?.digest) return { kind: "unchanged" };
  const validators = { etag, lastModified };
  return { kind: "document", validator: { digest, ...validators }, sizeBytes };
}

/** Sends the request. The configured headers are sent only to the configured server. */
function send(
  { url, previous, headers: originHeaders, outbound, signal }: HttpFetchOptions,
  partial: PartialDownload | undefined,
): Promise<OutboundResponse> {
  const conditions = partial ? resumeHeaders(partial) : { ...conditionalHeaders(previous), "accept-encoding": "gzip" };
  const headers = { "user-agent": "plimsoll", ...conditions };
  return outbound.send({ url, headers, originHeaders, signal }).catch((error: unknown) => {
    throw error instanceof RefusedRedirect
      ? unreachable(`${withoutCredentials(error.from.href)}: found ${error.message}`)
      : error;
  });
}

function unreachable(message: string): ScanError {
  return new ScanError("feed_unreachable", message);
}

/**
 * Streams a body into the file, decompresses a compressed transfer, and counts and hashes the bytes. The rest of a document is
 * appended to the partial download.
 */
async function spool(
  { url, body, headers }: OutboundResponse,
  rest: PartialDownload | undefined,
  { path, maxBytes, signal, onBytes }: HttpFetchOptions,
) {
  const encoding = textOf(headers["content-encoding"]) ?? "identity";
  const totalBytes = rest?.totalBytes ?? (encoding === "identity" ? lengthOf(headers) : undefined);
  const hash = rest === undefined ? createHash("sha256") : await hashOf(path);
  const tooLarge = () =>
    new ScanError("malformed_feed", `${withoutCredentials(url.href)} has more than ${maxBytes} bytes`);
  let sizeBytes = rest?.sizeBytes ?? 0;
  await using file = await open(path, rest === undefined ? "w" : "a", 0o600);
  // A chunk is written before the next one is awaited, so that an interrupted transfer can be resumed after it.
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
  else throw unreachable(`${withoutCredentials(url.href)}: expected the encoding gzip or none, found ${encoding}`);
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

/** A response with an error status. */
class RefusedDocument extends Error {
  override readonly name = "RefusedDocument";
  /** The address of the response, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: OutboundResponse["headers"];

  constructor({ url, status, headers }: OutboundResponse) {
    super(`${withoutCredentials(url.href)} answered ${status}`);
    this.url = url;
    this.status = status;
    this.headers = headers;
  }
}

const statusCodes = { 401: "unauthorized", 403: "not_permitted", 404: "not_found", 410: "not_found" } as const;

/** Translates the error of the last attempt to a ScanError. */
function toScanError(url: URL, cause: unknown): ScanError {
  if (cause instanceof ScanError) return cause;
  if (cause instanceof RefusedDocument) {
    const code = statusCodes[cause.status as keyof typeof statusCodes] ?? "feed_unreachable";
    return new ScanError(code, cause.message, { cause });
  }
  const thrown = cause instanceof FailedElsewhere ? cause.cause : cause;
  const reason = thrown instanceof ResponseFailure ? thrown.found : reasonOf(thrown);
  const place =
    cause instanceof FailedElsewhere
      ? `${withoutCredentials(url.href)}, which leads to ${cause.host}`
      : withoutCredentials(url.href);
  return new ScanError("feed_unreachable", `cannot fetch ${place}: ${reason}`, { cause });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ("code" in error && String(error.code)) || error.message;
}

/** The validators of a document from HTTP: those of the server, and our own digest. */
interface HttpValidator {
  readonly etag?: string;
  readonly lastModified?: string;
  /** The digest of the content, which recognizes an unchanged document even if the server does not. */
  readonly digest: string;
}

/** Formats a validator as text, for {@link parseHttpValidator}. */
export function formatHttpValidator({ etag, lastModified, digest }: HttpValidator): string {
  return JSON.stringify([digest, etag ?? null, lastModified ?? null]);
}

/** Parses a validator; undefined for that of another kind of reader. */
export function parseHttpValidator(text: string | undefined): HttpValidator | undefined {
  if (!text?.startsWith("[")) return undefined;
  const [digest, etag, lastModified] = JSON.parse(text) as [string, string | null, string | null];
  return { digest, etag: etag ?? undefined, lastModified: lastModified ?? undefined };
}

/** The headers that request a document only if it has changed. */
function conditionalHeaders(validator: HttpValidator | undefined): Record<string, string> {
  return withoutUndefined({ "if-none-match": validator?.etag, "if-modified-since": validator?.lastModified });
}
