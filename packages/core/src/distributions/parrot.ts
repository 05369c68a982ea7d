import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Parrot OS. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const parrot: KnownDistribution = {
  did: "parrot",
  packaging: "dpkg",
};
