import { parseDigest } from "@plimsoll/core/digest";
import { cooperativeYield, ifWritable } from "@plimsoll/store";
import { contentOf, type ImageManifestRow } from "../../content/queries/manifest-content.ts";
import { type BlobStore, BlobStoreError } from "../../ports/blob-store.ts";
import type { ManifestKind } from "../../store/tables/content.ts";
import type { SecurityDeps } from "../image-security.ts";
import { headLength, isText, kindByContent } from "../manifest-kind.ts";
import { storeKind } from "../queries/scans.ts";

/** The most layers that are looked at; a manifest with more of them is an image. */
const mostLayers = 128;

/**
 * The kind of a manifest that is not an index. It is usually stored with the manifest. Where the media types do not tell it, or an older
 * release stored the manifest, the content of its layers does, once: it is an artifact if all of them are texts.
 */
export async function findKind(
  { db, blobs }: Pick<SecurityDeps, "db" | "blobs">,
  manifest: ImageManifestRow,
): Promise<ManifestKind> {
  if (manifest.kind !== null) return manifest.kind;
  const { kind, layers } = kindByContent(await contentOf(db, manifest), manifest.media_type);
  const found = kind ?? (await kindOfLayers(blobs, layers));
  if (found === undefined) return "image";
  await ifWritable(() => storeKind(db, manifest.id, found));
  return found;
}

/** Undefined while a layer is missing. */
async function kindOfLayers(blobs: BlobStore, layers: readonly string[]): Promise<ManifestKind | undefined> {
  if (layers.length > mostLayers) return "image";
  const giveWay = cooperativeYield();
  for (const layer of layers) {
    const head = await readHead(blobs, layer);
    if (head === undefined) return undefined;
    if (!isText(head)) return "image";
    await giveWay();
  }
  return "artifact";
}

async function readHead(blobs: BlobStore, layer: string): Promise<Uint8Array | undefined> {
  const digest = parseDigest(layer);
  const size = await blobs.find(digest);
  if (size === undefined || size === 0) return size === 0 ? new Uint8Array() : undefined;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of blobs.read(digest, { first: 0, last: Math.min(size, headLength) - 1 }))
      chunks.push(Uint8Array.from(chunk));
  } catch (error) {
    if (error instanceof BlobStoreError && error.code === "not_found") return undefined;
    throw error;
  }
  return Buffer.concat(chunks);
}
