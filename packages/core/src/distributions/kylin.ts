import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Kylin. No feed has advisories for its packages. */
export const kylin: KnownDistribution = {
  did: "kylin",
  packaging: "rpm",
};
