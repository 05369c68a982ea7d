import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Gentoo. */
export const gentoo: KnownDistribution = {
  did: "gentoo",
  packaging: "portage",
};
