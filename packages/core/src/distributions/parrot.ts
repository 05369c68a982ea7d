import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Parrot OS. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const parrot: KnownDistribution = {
  did: "parrot",
  packaging: "dpkg",
};
