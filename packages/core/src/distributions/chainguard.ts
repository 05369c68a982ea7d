import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Chainguard OS. A rolling release: its advisories name no release. */
export const chainguard: KnownDistribution = {
  did: "chainguard",
  names: ["Chainguard"],
  packaging: "apk",
  advisoryKey: () => "chainguard",
  osv: { ecosystem: "Chainguard", kind: "SOURCE", keyOf: () => "chainguard" },
};
