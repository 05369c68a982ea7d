import { copyManifest } from "./copy-manifest.ts";
import { healBlobs } from "./heal-blobs.ts";
import type { IntakeContext } from "./intake-context.ts";
import { type ImageIntake, IntakeRefused } from "./intake-port.ts";
import { isRefusal } from "./is-refusal.ts";

/** Copies images of other registries into repositories. */
export function imageIntake(context: IntakeContext): ImageIntake {
  return {
    async copyImage(request) {
      try {
        return await copyManifest(context, request);
      } catch (error) {
        request.signal.throwIfAborted();
        throw isRefusal(error) ? new IntakeRefused(error.message, { cause: error }) : error;
      }
    },
    healBlobs: (healing) => healBlobs(context, healing),
  };
}
