import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Buildroot. Built as a whole, without a package manager. */
export const buildroot: KnownDistribution = {
  did: "buildroot",
  packaging: "none",
};
