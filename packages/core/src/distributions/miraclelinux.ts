import type { KnownDistribution } from "./shared/known-distribution.ts";

/** MIRACLE LINUX. No feed has advisories for its packages. */
export const miraclelinux: KnownDistribution = {
  did: "miraclelinux",
  packaging: "rpm",
};
