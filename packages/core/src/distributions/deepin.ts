import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Deepin. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const deepin: KnownDistribution = {
  did: "deepin",
  packaging: "dpkg",
};
