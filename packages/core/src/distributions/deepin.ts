import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Deepin. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const deepin: KnownDistribution = {
  did: "deepin",
  packaging: "dpkg",
};
