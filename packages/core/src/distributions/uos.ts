import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Unity Operating System. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const uos: KnownDistribution = {
  did: "uos",
  packaging: "dpkg",
};
