import { type Digest, parseDigest } from "@plimsoll/core";
import type { ImageManifestRow } from "../store/image-manifests.ts";

const imageLayer = /^application\/vnd\.(?:oci\.image\.layer\.|docker\.image\.rootfs\.)/;
const elsewhere = /\.(?:nondistributable|foreign)\./;

/** A layer that can be looked into. */
export interface ScannableLayer {
  readonly digest: Digest;
  readonly mediaType: string;
}

/**
 * The layers of an image that the registry has, base first. Undefined where there are no file systems to look into: lists of
 * manifests, and artifacts such as signatures.
 */
export function scannableLayers({
  is_index,
  content,
}: Pick<ImageManifestRow, "is_index" | "content">): readonly ScannableLayer[] | undefined {
  if (is_index === 1) return undefined;
  const { layers = [] } = JSON.parse(content) as {
    readonly layers?: readonly { readonly mediaType: string; readonly digest: string }[];
  };
  const isImage = layers.length > 0 && layers.every(({ mediaType }) => imageLayer.test(mediaType));
  if (!isImage) return undefined;
  return layers
    .filter(({ mediaType }) => !elsewhere.test(mediaType))
    .map(({ mediaType, digest }) => ({ mediaType, digest: parseDigest(digest) }));
}
