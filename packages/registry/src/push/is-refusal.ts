import { ScanError } from "@plimsoll/core";
import { ContentError } from "../content-error.ts";
import { RegistryError } from "../errors.ts";
import { BlobStoreError } from "../ports/blob-store.ts";
import { UpstreamLimited } from "../ports/upstreams.ts";

/**
 * Whether an image or a blob was refused, or the other registry failed. All other errors are failures of this registry, but for a limited
 * rate: then everything else would be refused, too.
 */
export function isRefusal(error: unknown): error is Error {
  if (error instanceof UpstreamLimited) return false;
  if (error instanceof BlobStoreError) return error.code === "wrong_digest" || error.code === "too_large";
  if (error instanceof RegistryError) return error.code === "tag_immutable";
  return error instanceof ScanError || error instanceof ContentError;
}
