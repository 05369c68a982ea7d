import type { KnownDistribution } from "./shared/known-distribution.ts";

/** PureOS. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const pureos: KnownDistribution = {
  did: "pureos",
  packaging: "dpkg",
};
