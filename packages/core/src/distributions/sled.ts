import type { KnownDistribution } from "./shared/known-distribution.ts";

/** SUSE Linux Enterprise Desktop. No feed has advisories for its packages. */
export const sled: KnownDistribution = {
  did: "sled",
  names: ["SUSE Linux Enterprise Desktop"],
  packaging: "rpm",
};
