import type { KnownDistribution } from "./shared/known-distribution.ts";

/** MIRACLE LINUX. Its packages are its own: no feed speaks of them. */
export const miraclelinux: KnownDistribution = {
  did: "miraclelinux",
  packaging: "rpm",
};
