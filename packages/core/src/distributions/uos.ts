import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Unity Operating System. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const uos: KnownDistribution = {
  did: "uos",
  packaging: "dpkg",
};
