import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Manjaro. */
export const manjaro: KnownDistribution = {
  did: "manjaro",
  packaging: "pacman",
};
