import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Talos Linux. Its image is built as a whole, without a package manager. */
export const talos: KnownDistribution = {
  did: "talos",
  packaging: "none",
};
