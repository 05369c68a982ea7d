import type { KnownDistribution } from "./shared/known-distribution.ts";

/** OpenMandriva. Its packages are its own: no feed speaks of them. */
export const openmandriva: KnownDistribution = {
  did: "openmandriva",
  packaging: "rpm",
  vendorTags: ["openmandriva"],
};
