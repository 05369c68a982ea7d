import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Nobara. No feed has advisories for its packages. */
export const nobara: KnownDistribution = {
  did: "nobara",
  packaging: "rpm",
};
