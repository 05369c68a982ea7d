import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Kali Linux. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const kali: KnownDistribution = {
  did: "kali",
  packaging: "dpkg",
};
