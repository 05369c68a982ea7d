import { readFile, rm, stat, writeFile } from "node:fs/promises";
import type { OutboundResponse } from "@plimsoll/outbound";

/** What a server said of a document when its download began. */
export interface DownloadState {
  readonly etag?: string;
  readonly lastModified?: string;
  /** Of the whole document. */
  readonly totalBytes: number;
}

/** A document of which some or all bytes are in a file. */
export interface BegunDownload extends DownloadState {
  readonly sizeBytes: number;
}

const stateFile = (path: string) => `${path}.json`;

/** What is there of a download that was cut off. */
export async function findBegun(path: string): Promise<BegunDownload | undefined> {
  const text = await readFile(stateFile(path), "utf8").catch(() => undefined);
  const found = await stat(path).catch(() => undefined);
  const state = text === undefined ? undefined : parseState(text);
  if (state === undefined || found === undefined || found.size === 0 || found.size > state.totalBytes) return undefined;
  return { ...state, sizeBytes: found.size };
}

/** A file that a crash has cut off is as if it were not there. */
function parseState(text: string): DownloadState | undefined {
  try {
    const state = JSON.parse(text) as DownloadState;
    return typeof state === "object" && Number.isSafeInteger(state?.totalBytes) ? state : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Notes what a download needs to go on later. A document of which the server says neither its length nor its state, and one that is compressed
 * for the transfer, begins anew.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5 for validators that may be sent in If-Range
 */
export async function noteBegun(path: string, { headers }: Pick<OutboundResponse, "headers">): Promise<void> {
  await forgetBegun(path);
  const { etag, "last-modified": lastModified, "content-length": length, "accept-ranges": ranges } = headers;
  const totalBytes = typeof length === "string" && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
  const isEncoded = headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity";
  if (totalBytes === undefined || isEncoded || ranges === "none") return;
  const state = {
    ...(typeof etag === "string" && etag.startsWith('"') && { etag }),
    ...(typeof lastModified === "string" && { lastModified }),
    totalBytes,
  };
  if (state.etag === undefined && state.lastModified === undefined) return;
  await writeFile(stateFile(path), JSON.stringify(state), { mode: 0o600 });
}

/** Makes the next attempt begin anew. */
export async function forgetBegun(path: string): Promise<void> {
  await rm(stateFile(path), { force: true });
}

/** Removes what there is of a document. */
export async function forgetDownload(path: string): Promise<void> {
  await forgetBegun(path);
  await rm(path, { force: true });
}

/** The headers that ask for the rest of a document, or whether a whole one is still the same. */
export function headersToGoOn({ sizeBytes, totalBytes, etag, lastModified }: BegunDownload): Record<string, string> {
  if (sizeBytes < totalBytes)
    return { range: `bytes=${sizeBytes}-`, "if-range": etag ?? lastModified ?? "", "accept-encoding": "identity" };
  return {
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
    "accept-encoding": "identity",
  };
}

/** Whether a 206 has the bytes that were asked for. @see https://www.rfc-editor.org/rfc/rfc9110#section-14.4 */
export function isRest(
  { headers }: Pick<OutboundResponse, "headers">,
  { sizeBytes, totalBytes }: BegunDownload,
): boolean {
  const encoding = headers["content-encoding"] ?? "identity";
  return encoding === "identity" && headers["content-range"] === `bytes ${sizeBytes}-${totalBytes - 1}/${totalBytes}`;
}
