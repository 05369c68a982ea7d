import { ScanError } from "@plimsoll/core";
import { DistributionError } from "../distribution/distribution-error.ts";
import { RegistryError } from "../errors.ts";
import { type ImageIntake, IntakeRefused } from "../mirrors/image-intake.ts";
import { BlobStoreError } from "../ports/blob-store.ts";
import { UpstreamLimited } from "../ports/upstreams.ts";
import { copyManifest } from "./copy-manifest.ts";
import { healBlobs } from "./heal-blobs.ts";
import type { IntakeContext } from "./intake-context.ts";

/** Copies images of other registries into repositories. */
export function imageIntake(context: IntakeContext): ImageIntake {
  return {
    async copyImage(request) {
      try {
        return await copyManifest(context, request);
      } catch (error) {
        request.signal.throwIfAborted();
        throw isRefusal(error) && !(error instanceof UpstreamLimited)
          ? new IntakeRefused(error.message, { cause: error })
          : error;
      }
    },
    healBlobs: (healing) => healBlobs(context, healing),
  };
}

/** Whether the image was refused, or the other registry failed. All other errors are failures of this registry. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof BlobStoreError) return error.code === "wrong_digest" || error.code === "too_large";
  if (error instanceof RegistryError) return error.code === "tag_immutable";
  return error instanceof ScanError || error instanceof DistributionError;
}
