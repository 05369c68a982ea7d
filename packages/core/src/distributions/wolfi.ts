import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Wolfi. Its packages roll: advisories know no release. */
export const wolfi: KnownDistribution = {
  did: "wolfi",
  names: ["Wolfi"],
  packaging: "apk",
  advisoryKey: () => "wolfi",
  osv: { ecosystem: "Wolfi", kind: "SOURCE", keyOf: () => "wolfi" },
};
