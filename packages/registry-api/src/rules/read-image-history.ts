import { parseDigest } from "@plimsoll/core";
import type { BlobStore } from "../ports.ts";
import type { ImageManifestRow } from "../store/image-manifests.ts";
import type { HistoryEntry } from "../views/image-manifest.ts";

/** A configuration that is larger is not looked into. */
const maxConfigBytes = 4 * 1024 * 1024;

/** The steps that made an image, as its configuration tells them; none where it is missing, too large or malformed. */
export async function readImageHistory(
  blobs: BlobStore | undefined,
  { content, is_index }: ImageManifestRow,
): Promise<readonly HistoryEntry[]> {
  if (blobs === undefined || is_index === 1) return [];
  const { config } = JSON.parse(content) as { readonly config?: { readonly digest: string } };
  if (config === undefined) return [];
  const digest = parseDigest(config.digest);
  const sizeBytes = await blobs.find(digest);
  if (sizeBytes === undefined || sizeBytes > maxConfigBytes) return [];
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(digest)) chunks.push(chunk);
  return historyOf(Buffer.concat(chunks).toString("utf8"));
}

function historyOf(content: string): readonly HistoryEntry[] {
  try {
    const config = JSON.parse(content) as { readonly history?: unknown } | null;
    return Array.isArray(config?.history) ? config.history.map(entryOf) : [];
  } catch {
    return [];
  }
}

/** Anybody can push a configuration: what is not of the right type is not there. */
function entryOf(value: unknown): HistoryEntry {
  const given = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const texts = ["created", "created_by", "comment", "author"] as const;
  const entry = Object.fromEntries(
    texts.flatMap((name) => (typeof given[name] === "string" ? [[name, given[name]]] : [])),
  );
  return { ...entry, empty_layer: given.empty_layer === true };
}
