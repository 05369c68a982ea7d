import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Bottlerocket. Its image is built as a whole, without a package manager. */
export const bottlerocket: KnownDistribution = {
  did: "bottlerocket",
  packaging: "none",
};
