import type { KnownDistribution } from "./shared/known-distribution.ts";

/** elementary OS. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const elementary: KnownDistribution = {
  did: "elementary",
  packaging: "dpkg",
};
