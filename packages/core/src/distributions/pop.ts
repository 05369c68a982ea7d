import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Pop!_OS. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const pop: KnownDistribution = {
  did: "pop",
  packaging: "dpkg",
};
