import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Astra Linux. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const astra: KnownDistribution = {
  did: "astra",
  packaging: "dpkg",
};
