import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Wolfi. A rolling release: its advisories name no release. */
export const wolfi: KnownDistribution = {
  did: "wolfi",
  names: ["Wolfi"],
  packaging: "apk",
  advisoryKey: () => "wolfi",
  osv: { ecosystem: "Wolfi", kind: "SOURCE", keyOf: () => "wolfi" },
};
