import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Linux Mint. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const linuxmint: KnownDistribution = {
  did: "linuxmint",
  packaging: "dpkg",
  endOfLife: { "19": "2023-04-30", "20": "2025-04-30", "21": "2027-04-30", "22": "2029-04-30" },
};
