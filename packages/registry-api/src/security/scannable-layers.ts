import { type Digest, parseDigest } from "@plimsoll/core";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";

const imageLayer = /^application\/vnd\.(?:oci\.image\.layer\.|docker\.image\.rootfs\.)/;
/** Also matches media types that the scanner does not know, but a runtime may. */
const fileSystem = /\.layer\.|rootfs|\btar\b/;
const elsewhere = /\.(?:nondistributable|foreign)\./;

/** A layer that can be scanned. */
export interface ScannableLayer {
  readonly digest: Digest;
  readonly mediaType: string;
}

/** What a manifest is, and its content. */
type WholeManifest = Pick<ImageManifestRow, "is_index"> & { readonly content: string };

/**
 * The layers of an image that the registry stores, base first. Undefined if there is no file system to scan: image indexes, artifacts such
 * as signatures, and images whose layers are all stored elsewhere.
 */
export function scannableLayers(manifest: WholeManifest): readonly ScannableLayer[] | undefined {
  const here = layersOf(manifest).filter(({ mediaType }) => !elsewhere.test(mediaType));
  return here.length > 0 ? here : undefined;
}

/** The foreign layers of an image, which clients fetch from the addresses in its manifest. They are not scanned. */
export function layersElsewhere(manifest: WholeManifest): readonly ScannableLayer[] {
  return layersOf(manifest).filter(({ mediaType }) => elsewhere.test(mediaType));
}

/** Whether a manifest is not an image that a runtime could start: none of its layers is a file system layer. */
export function isArtifact(content: string): boolean {
  const { layers } = JSON.parse(content) as { readonly layers?: readonly { readonly mediaType: string }[] | null };
  return !(layers ?? []).some(({ mediaType }) => fileSystem.test(mediaType));
}

/** The layers of an image, base first; empty for a manifest that is not an image. */
function layersOf({ is_index, content }: WholeManifest): readonly ScannableLayer[] {
  if (is_index === 1) return [];
  const { layers: listed } = JSON.parse(content) as {
    readonly layers: readonly { readonly mediaType: string; readonly digest: string }[] | null;
  };
  const layers = listed ?? [];
  if (!layers.every(({ mediaType }) => imageLayer.test(mediaType))) return [];
  return layers.map(({ mediaType, digest }) => ({ mediaType, digest: parseDigest(digest) }));
}
