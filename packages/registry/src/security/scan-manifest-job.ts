import { job } from "@plimsoll/store";
import { Type } from "typebox";
import { namespaceTenant, ofNamespace } from "../values/names.ts";
import { giveUpScan, type ScanOptions, scanManifest } from "./scan-manifest.ts";

/** Scans an image that was not scanned during its push. After the last attempt, the scan is stored as failed. */
export const scanManifestJob = job({
  kind: "registry.scan-manifest",
  payload: Type.Object({ manifestId: Type.String(), ...ofNamespace }),
  key: ({ manifestId }) => manifestId,
  tenant: namespaceTenant,
  concurrency: 3,
  maxAttempts: 6,
  handle: ({ payload, signal }, options: ScanOptions) => scanManifest(options, payload.manifestId, signal),
  onGivenUp: ({ payload, db, now, error }) => giveUpScan(db, { manifestId: payload.manifestId, reason: error, now }),
});
