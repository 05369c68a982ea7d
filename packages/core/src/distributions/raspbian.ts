import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Raspberry Pi OS in its 32-bit edition. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const raspbian: KnownDistribution = {
  did: "raspbian",
  packaging: "dpkg",
};
