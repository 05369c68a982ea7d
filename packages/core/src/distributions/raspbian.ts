import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Raspberry Pi OS in its 32-bit edition. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const raspbian: KnownDistribution = {
  did: "raspbian",
  packaging: "dpkg",
};
