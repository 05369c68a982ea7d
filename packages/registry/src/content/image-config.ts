import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { type ImageStart, startIn } from "@plimsoll/core/internal";
import { problemOfJson, usualJsonLimits } from "@plimsoll/core/internal/json-shape";
import type { Json } from "@plimsoll/core/report";
import { turnOfBody } from "@plimsoll/store";
import { type BlobStore, isLostBlob } from "../ports/blob-store.ts";
import type { ImageManifestRow } from "./queries/manifest-content.ts";

/** A step in the configuration of an image. @see https://github.com/opencontainers/image-spec/blob/v1.1.0/config.md */
export interface HistoryEntry {
  readonly created?: string;
  readonly created_by?: string;
  readonly comment?: string;
  readonly author?: string;
  readonly empty_layer?: boolean;
}

/** An image manifest with its content. */
export type ShownManifest = Omit<ImageManifestRow, "content"> & { readonly content: string };

/** Larger configurations are not read. */
const maxConfigBytes = 4 * 1024 * 1024;

/**
 * The configuration of an image: untrusted JSON from a push. Undefined if it is missing, too large, nested too deep or not JSON.
 */
export async function readImageConfig(blobs: BlobStore, digest: Digest): Promise<unknown> {
  const text = await readText(blobs, digest);
  if (text === undefined) return undefined;
  await turnOfBody(text.length);
  if (problemOfJson(text, usualJsonLimits) !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readText(blobs: BlobStore, digest: Digest): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    const sizeBytes = await blobs.find(digest);
    if (sizeBytes === undefined || sizeBytes > maxConfigBytes) return undefined;
    for await (const chunk of blobs.read(digest)) chunks.push(chunk);
  } catch (error) {
    if (isLostBlob(error)) return undefined; // it was collected meanwhile, or is damaged
    throw error;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The build steps of an image, from its configuration; empty if that is missing, too large or malformed. */
export async function readImageHistory(
  blobs: BlobStore | undefined,
  manifest: ShownManifest,
): Promise<readonly HistoryEntry[]> {
  const image = (await readConfigOf(blobs, manifest)) as { readonly history?: unknown } | null | undefined;
  return Array.isArray(image?.history) ? image.history.map(entryOf) : [];
}

/** What an image starts, from its configuration; undefined if that is missing, too large or malformed, or does not say. */
export async function readImageStart(
  blobs: BlobStore | undefined,
  manifest: WithConfig,
): Promise<ImageStart | undefined> {
  return startIn((await readConfigOf(blobs, manifest)) as Json | undefined);
}

type WithConfig = Pick<ShownManifest, "content" | "is_index">;

async function readConfigOf(blobs: BlobStore | undefined, { content, is_index }: WithConfig): Promise<unknown> {
  if (blobs === undefined || is_index === 1) return undefined;
  const { config } = JSON.parse(content) as { readonly config?: { readonly digest: string } | null };
  return config == null ? undefined : readImageConfig(blobs, parseDigest(config.digest));
}

/** Configurations are untrusted: a member that is not of the right type counts as absent. */
function entryOf(value: unknown): HistoryEntry {
  const given = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const texts = ["created", "created_by", "comment", "author"] as const;
  const entry = Object.fromEntries(
    texts.flatMap((name) => (typeof given[name] === "string" ? [[name, given[name]]] : [])),
  );
  return { ...entry, empty_layer: given.empty_layer === true };
}
