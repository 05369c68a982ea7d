import type { KnownDistribution } from "./shared/known-distribution.ts";

/** MinimOS. A rolling release: its advisories name no release. */
export const minimos: KnownDistribution = {
  did: "minimos",
  packaging: "apk",
  advisoryKey: () => "minimos",
  osv: { ecosystem: "MinimOS", kind: "SOURCE", keyOf: () => "minimos" },
};
