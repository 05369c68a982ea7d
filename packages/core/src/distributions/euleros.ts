import type { KnownDistribution } from "./shared/known-distribution.ts";

/** EulerOS. No feed has advisories for its packages. */
export const euleros: KnownDistribution = {
  did: "euleros",
  names: ["EulerOS"],
  packaging: "rpm",
};
