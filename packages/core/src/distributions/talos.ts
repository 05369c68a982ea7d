import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Talos Linux. Built as a whole, without a package manager. */
export const talos: KnownDistribution = {
  did: "talos",
  packaging: "none",
};
