import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Chainguard OS. Its packages roll: advisories know no release. */
export const chainguard: KnownDistribution = {
  did: "chainguard",
  names: ["Chainguard"],
  packaging: "apk",
  advisoryKey: () => "chainguard",
  osv: { ecosystem: "Chainguard", kind: "SOURCE", keyOf: () => "chainguard" },
};
