import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** CBL-Mariner. OSV uses its later name, Azure Linux. */
export const mariner: KnownDistribution = {
  did: "mariner",
  names: ["CBL-Mariner"],
  packaging: "rpm",
  otherIds: { "cbl-mariner": {}, cblmariner: {} },
  vendorTags: ["microsoft corporation"],
  advisoryKey: keyByVersion("mariner", "full"),
  osv: {
    ecosystem: "Azure Linux",
    kind: "SOURCE",
    keyOf: (suffix) => (suffix === "2" ? "mariner:2.0" : undefined),
  },
  endOfLife: { "1.0": "2023-08-31", "2.0": "2025-07-31" },
};
