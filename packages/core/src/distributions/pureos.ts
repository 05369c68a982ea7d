import type { KnownDistribution } from "./shared/known-distribution.ts";

/** PureOS. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const pureos: KnownDistribution = {
  did: "pureos",
  packaging: "dpkg",
};
