import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Pop!_OS. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const pop: KnownDistribution = {
  did: "pop",
  packaging: "dpkg",
};
