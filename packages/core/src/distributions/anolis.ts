import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Anolis OS. Its packages are its own: no feed speaks of them. */
export const anolis: KnownDistribution = {
  did: "anolis",
  names: ["Anolis OS"],
  packaging: "rpm",
  vendorTags: ["openanolis"],
};
