import type { KnownDistribution } from "./shared/known-distribution.ts";

/** OpenMandriva. No feed has advisories for its packages. */
export const openmandriva: KnownDistribution = {
  did: "openmandriva",
  packaging: "rpm",
  vendorTags: ["openmandriva"],
};
