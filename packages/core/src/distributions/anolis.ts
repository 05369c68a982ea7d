import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Anolis OS. No feed has advisories for its packages. */
export const anolis: KnownDistribution = {
  did: "anolis",
  names: ["Anolis OS"],
  packaging: "rpm",
  vendorTags: ["openanolis"],
};
