import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Alpaquita Linux. It builds its own packages, so advisories for Alpine do not apply to it. */
export const alpaquita: KnownDistribution = {
  did: "alpaquita",
  packaging: "apk",
};
