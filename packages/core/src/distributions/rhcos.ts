import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Red Hat Enterprise Linux CoreOS. Its packages are its own: no feed speaks of them. */
export const rhcos: KnownDistribution = {
  did: "rhcos",
  names: ["Red Hat Enterprise Linux CoreOS"],
  packaging: "rpm",
};
