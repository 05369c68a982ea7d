import { job } from "@plimsoll/store";
import { Type } from "typebox";
import { namespaceTenant, ofNamespace } from "../values/namespace-tenant.ts";
import { giveUpScan, type ScanOptions, scanManifest } from "./scan-manifest.ts";

/** Reads an image that was not read while it was pushed. When the last attempt fails, the image counts as one that cannot be read. */
export const scanManifestJob = job({
  kind: "registry.scan-manifest",
  payload: Type.Object({ manifestId: Type.String(), ...ofNamespace }),
  key: ({ manifestId }) => manifestId,
  tenant: namespaceTenant,
  concurrency: 3,
  maxAttempts: 6,
  async handle({ job, payload: { manifestId }, signal }, options: ScanOptions) {
    try {
      await scanManifest(options, manifestId, signal);
    } catch (error) {
      const isLast = job.attempts >= job.maxAttempts && !signal.aborted;
      if (isLast) await giveUpScan(options, manifestId, error instanceof Error ? error.message : String(error));
      throw error;
    }
  },
});
