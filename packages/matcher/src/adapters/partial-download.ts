import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { withoutUndefined } from "@plimsoll/core/internal";
import type { OutboundResponse } from "@plimsoll/outbound";

/** The server's facts about a document at the start of its download. */
export interface DownloadState {
  readonly etag?: string;
  readonly lastModified?: string;
  /** The size of the whole document. */
  readonly totalBytes: number;
}

/** A download of which some or all bytes are in a file. */
export interface PartialDownload extends DownloadState {
  readonly sizeBytes: number;
}

const stateFile = (path: string) => `${path}.json`;

/** Finds an interrupted download. */
export async function findPartialDownload(path: string): Promise<PartialDownload | undefined> {
  const text = await readFile(stateFile(path), "utf8").catch(() => undefined);
  const found = await stat(path).catch(() => undefined);
  const state = text === undefined ? undefined : parseState(text);
  if (state === undefined || found === undefined || found.size === 0 || found.size > state.totalBytes) return undefined;
  return { ...state, sizeBytes: found.size };
}

/** Parses the stored state; undefined for a file that a crash has truncated. */
function parseState(text: string): DownloadState | undefined {
  try {
    const state = JSON.parse(text) as DownloadState;
    return typeof state === "object" && Number.isSafeInteger(state?.totalBytes) ? state : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores the state with which a download can be resumed. Nothing is stored, so that the next attempt starts over, if the server states neither
 * length nor validator, or if the transfer is compressed.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5 for validators that may be sent in If-Range
 */
export async function storeDownloadState(path: string, { headers }: Pick<OutboundResponse, "headers">): Promise<void> {
  await deleteDownloadState(path);
  const { etag, "last-modified": lastModified, "content-length": length, "accept-ranges": ranges } = headers;
  const totalBytes = typeof length === "string" && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
  const isEncoded = headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity";
  if (totalBytes === undefined || isEncoded || ranges === "none") return;
  const state = {
    etag: typeof etag === "string" && etag.startsWith('"') ? etag : undefined,
    lastModified: typeof lastModified === "string" ? lastModified : undefined,
    totalBytes,
  };
  if (state.etag === undefined && state.lastModified === undefined) return;
  await writeFile(stateFile(path), JSON.stringify(state), { mode: 0o600 });
}

/** Deletes the stored state, so that the next attempt starts over. */
export async function deleteDownloadState(path: string): Promise<void> {
  await rm(stateFile(path), { force: true });
}

/** Deletes a download with its state. */
export async function deleteDownload(path: string): Promise<void> {
  await deleteDownloadState(path);
  await rm(path, { force: true });
}

/** The headers that request the rest of a document or, if it is complete, check whether it is unchanged. */
export function resumeHeaders({ sizeBytes, totalBytes, etag, lastModified }: PartialDownload): Record<string, string> {
  if (sizeBytes < totalBytes)
    return { range: `bytes=${sizeBytes}-`, "if-range": etag ?? lastModified ?? "", "accept-encoding": "identity" };
  return withoutUndefined({ "if-none-match": etag, "if-modified-since": lastModified, "accept-encoding": "identity" });
}

/** Whether a 206 response has the requested bytes. @see https://www.rfc-editor.org/rfc/rfc9110#section-14.4 */
export function isRest(
  { headers }: Pick<OutboundResponse, "headers">,
  { sizeBytes, totalBytes }: PartialDownload,
): boolean {
  const encoding = headers["content-encoding"] ?? "identity";
  return encoding === "identity" && headers["content-range"] === `bytes ${sizeBytes}-${totalBytes - 1}/${totalBytes}`;
}
