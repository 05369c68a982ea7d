import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Linux Mint. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const linuxmint: KnownDistribution = {
  did: "linuxmint",
  packaging: "dpkg",
};
