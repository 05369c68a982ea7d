import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Arch Linux. */
export const arch: KnownDistribution = {
  did: "arch",
  packaging: "pacman",
};
