import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Buildroot. Its image is built as a whole, without a package manager. */
export const buildroot: KnownDistribution = {
  did: "buildroot",
  packaging: "none",
};
