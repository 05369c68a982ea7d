import type { ImageSource, Manifest, ManifestLayer, SourceLayer } from "@plimsoll/core";
import type { FetchLayer } from "./ports.ts";

/** The image that a client describes by the addresses of its layers. */
export function fromManifest(manifest: Manifest, fetchLayer: FetchLayer): ImageSource {
  const { digest: manifestDigest, layers } = manifest;
  const reference = `manifest ${manifestDigest}`;
  return {
    name: reference,
    open: async () => ({
      images: [{ reference, manifestDigest, layers: layers.map((layer) => sourceLayer(layer, fetchLayer)) }],
      [Symbol.asyncDispose]: async () => {},
    }),
  };
}

/**
 * Clients write many media types, or none, for layers that are tar archives all the same: only what is plainly none
 * (signatures, statements about the image) is left out. A foreign layer is one like any other: it has an address.
 */
function sourceLayer(layer: ManifestLayer, fetchLayer: FetchLayer): SourceLayer<never> {
  const { digest, mediaType = "" } = layer;
  if (/^[^;]*[/+]json\s*(;|$)/i.test(mediaType)) {
    const shown = JSON.stringify(mediaType.slice(0, 100));
    return { kind: "foreign", digest, mediaType, message: `${shown} is not a file system layer` };
  }
  return {
    kind: "blob",
    digest,
    mediaType,
    expected: { digest },
    reopens: true,
    open: (signal) => fetchLayer(layer, signal),
  };
}
