import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Scientific Linux. No feed has advisories for its packages. */
export const scientific: KnownDistribution = {
  did: "scientific",
  names: ["Scientific Linux"],
  packaging: "rpm",
  vendorTags: ["scientific linux"],
  endOfLife: { "6": "2020-11-30", "7": "2024-06-30" },
};
