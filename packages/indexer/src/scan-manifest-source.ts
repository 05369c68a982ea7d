import type { ImageSource, Manifest, ManifestLayer, SourceLayer } from "@plimsoll/core/image";
import type { FetchLayer } from "./ports.ts";

/** The source of an image that a client describes by the addresses of its layers. */
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
 * Converts a layer of a manifest. Clients send many media types, or none, for layers that are tar archives: only JSON, which is used for
 * signatures and statements, is left out. A foreign layer is read like any other, because it has an address.
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
