import type { KnownDistribution } from "./shared/known-distribution.ts";

/** elementary OS. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const elementary: KnownDistribution = {
  did: "elementary",
  packaging: "dpkg",
};
