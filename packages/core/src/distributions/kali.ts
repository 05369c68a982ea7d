import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Kali Linux. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const kali: KnownDistribution = {
  did: "kali",
  packaging: "dpkg",
};
