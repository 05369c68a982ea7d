import { createHmac, timingSafeEqual } from "node:crypto";
import { ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { ManifestLayer } from "@plimsoll/core/internal";
import type { FetchLayer } from "@plimsoll/indexer";
import type { BlobStore } from "@plimsoll/registry";

/** Lets the indexer read the registry's layers directly from the blob store, without the network. */
export interface BlobLayers {
  /** The address of a layer for the indexer. Its host is reserved (RFC 2606), and it is signed, so that clients cannot create one. */
  addressOf(digest: Digest): string;
  /** Reads such addresses from the store, and passes all others to `next`. */
  fetchFrom(next: FetchLayer): FetchLayer;
}

const prefix = "https://registry.invalid/blobs/";

/** Creates signed addresses for layers in a store, and reads them. */
export function blobLayers(blobs: BlobStore, key: Uint8Array): BlobLayers {
  const sign = (digest: string) => createHmac("sha256", key).update(digest).digest("base64url");
  const isSigned = ({ digest, uri }: ManifestLayer) => {
    const given = Buffer.from(uri.slice(`${prefix}${digest}?`.length));
    const expected = Buffer.from(sign(digest));
    return (
      uri.startsWith(`${prefix}${digest}?`) && given.length === expected.length && timingSafeEqual(given, expected)
    );
  };
  return {
    addressOf: (digest) => `${prefix}${digest}?${sign(digest)}`,
    fetchFrom: (next) => (layer, signal) => {
      if (!layer.uri.startsWith(prefix)) return next(layer, signal);
      if (!isSigned(layer)) throw new ScanError("not_permitted", `layer ${layer.digest}: its address is not signed`);
      return blobs.read(layer.digest);
    },
  };
}
