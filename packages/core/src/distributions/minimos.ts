import type { KnownDistribution } from "./shared/known-distribution.ts";

/** MinimOS. Its packages roll: advisories know no release. */
export const minimos: KnownDistribution = {
  did: "minimos",
  packaging: "apk",
  advisoryKey: () => "minimos",
  osv: { ecosystem: "MinimOS", kind: "SOURCE", keyOf: () => "minimos" },
};
