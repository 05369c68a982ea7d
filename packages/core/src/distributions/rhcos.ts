import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Red Hat Enterprise Linux CoreOS. No feed has advisories for its packages. */
export const rhcos: KnownDistribution = {
  did: "rhcos",
  names: ["Red Hat Enterprise Linux CoreOS"],
  packaging: "rpm",
};
