import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Container-Optimized OS. Its image is built as a whole, without a package manager. */
export const cos: KnownDistribution = {
  did: "cos",
  packaging: "none",
};
