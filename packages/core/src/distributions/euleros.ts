import type { KnownDistribution } from "./shared/known-distribution.ts";

/** EulerOS. Its packages are its own: no feed speaks of them. */
export const euleros: KnownDistribution = {
  did: "euleros",
  names: ["EulerOS"],
  packaging: "rpm",
};
