import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Flatcar Container Linux. Its image is built as a whole, without a package manager. */
export const flatcar: KnownDistribution = {
  did: "flatcar",
  packaging: "none",
};
