import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Astra Linux. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const astra: KnownDistribution = {
  did: "astra",
  packaging: "dpkg",
};
