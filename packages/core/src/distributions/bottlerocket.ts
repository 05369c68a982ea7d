import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Bottlerocket. Built as a whole, without a package manager. */
export const bottlerocket: KnownDistribution = {
  did: "bottlerocket",
  packaging: "none",
};
