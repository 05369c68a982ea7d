import type { KnownDistribution } from "./shared/known-distribution.ts";

/** postmarketOS. It ships packages of its own, so that advisories for Alpine say nothing about them. */
export const postmarketos: KnownDistribution = {
  did: "postmarketos",
  packaging: "apk",
};
